/**
 * The URL that a text spells by the rules of browsers (WHATWG); null where it spells none. Instead of `URL.canParse`,
 * which in Node.js 20 answers false for every URL with a letter such as ü once V8 has optimised the code that calls it:
 * after 5,528 calls in 20.20.2.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
