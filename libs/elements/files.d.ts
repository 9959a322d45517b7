/** A style sheet, as its text. */
declare module '*.css' {
  const text: string;
  export default text;
}

/** Names of the files beside the script, which `bundle.mjs` puts in: they change with their content. */
declare const PAGE_FILE: string;
declare const BANNER_FILE: string;
