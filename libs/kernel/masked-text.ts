/**
 * An identifier as operators see it: its owner recognises it, other readers learn little. At most two characters of each
 * part are shown, and nothing of a part with fewer than three: of an address one of each name, beside its top domain;
 * of a telephone number `+` and two digits at each end; of all else two at each end, if it has eight characters.
 */
export function maskedText(text: string): string {
  const at = text.lastIndexOf('@');
  if (at > 0) return `${begun(text.slice(0, at))}@${maskedDomain(text.slice(at + 1))}`;
  const characters = [...text];
  if (characters.length < 8) return '…';
  const head = text.startsWith('+') ? 3 : 2;
  return `${characters.slice(0, head).join('')}…${characters.slice(-2).join('')}`;
}

function maskedDomain(domain: string): string {
  const names = domain.split('.');
  const top = names.length > 1 && TOP_DOMAIN.test(names.at(-1)!) ? [names.pop()!] : [];
  return [...names.map(begun), ...top].join('.');
}

/** What many share, and which names no person. */
const TOP_DOMAIN = /^[a-z]{2,10}$/;

function begun(part: string): string {
  const [first, ...rest] = part;
  return rest.length >= 2 ? `${first}…` : '…';
}
