/**
 * Assent cannot start as it is set up. The message is shown as it stands, without a stack: one clear sentence
 * that ends with what to do. Found by its name as well, since `start.mjs` cannot import this class before the build.
 */
export class StartRefused extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StartRefused';
  }
}
