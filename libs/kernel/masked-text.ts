/** Enough to recognise what one knows already: a letter or two, and the domain of an address. */
export function maskedText(text: string): string {
  const at = text.lastIndexOf('@');
  if (at > 0) return `${text[0]}…${text.slice(at)}`;
  return text.length < 8 ? '…' : `${text.slice(0, 2)}…${text.slice(-2)}`;
}
