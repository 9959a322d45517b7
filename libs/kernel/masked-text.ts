/** A letter or two at each end, of an address the domain: its owner recognises it, other readers learn little. */
export function maskedText(text: string): string {
  const at = text.lastIndexOf('@');
  if (at > 0) return `${text[0]}…${text.slice(at)}`;
  return text.length < 8 ? '…' : `${text.slice(0, 2)}…${text.slice(-2)}`;
}
