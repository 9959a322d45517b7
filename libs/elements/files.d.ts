/** A style sheet, as its text. */
declare module '*.css' {
  const text: string;
  export default text;
}

/** Names of the files beside the script, which `bundle.mjs` puts in: they change with their content. */
declare const PAGE_FILE: string;
declare const BANNER_FILE: string;

/** Loaders of words by language, which `bundle-elements.mjs` makes of the texts of the portal. */
declare module 'assent:words' {
  const files: Readonly<Record<string, () => Promise<{ default: object }>>>;
  export default files;
}
