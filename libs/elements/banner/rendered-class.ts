/** Of the first layer in the first HTML: it shows with its style sheet alone, and waits for a script. */
export const RENDERED_CLASS = 'rendered';
