import { textBeside } from '../../engines/text-beside.js';
import { brandHeader, linkList, linksOf, type ShownBrand } from '../../pages/brand.js';
import { pageOf, policyOf, type ShownPage } from '../../pages/frame.js';
import { html, type Html } from '../../pages/html.js';
import type { Language } from '../../pages/languages.js';
import { inColoursOf, withFrame } from '../../pages/style.js';

export interface LinkPageParts {
  language: Language;
  title: string;
  main: Html;
  /** Small print. */
  footer?: string;
  /** Where the form's answer may lead besides to this service, as form-action says it. */
  formTarget?: string | null;
  /** Whose page it is; null where the link names no site. */
  brand: ShownBrand | null;
}

const STYLE = withFrame(textBeside(import.meta.url, './link-pages.css'));

/** A whole page: nothing is loaded from anywhere, nothing runs, no other site frames it, and its forms go to this service. */
export function framed({ language, title, main, footer, formTarget, brand }: LinkPageParts): ShownPage {
  const style = inColoursOf(brand, STYLE);
  return {
    html: pageOf(
      { language, title: brand ? `${title} – ${brand.name}` : title, style },
      html`${brand && brandHeader(brand)}<main>
<h1>${title}</h1>
${main}
</main>
${footerOf(footer, brand, language)}`,
    ),
    language,
    csp: policyOf({ style, hasPicture: Boolean(brand?.logo), forms: ["'self'", ...(formTarget ? [formTarget] : [])] }),
  };
}

function footerOf(smallPrint: string | undefined, brand: ShownBrand | null, language: Language): Html | null {
  const links = brand ? linksOf(brand, language) : [];
  if (!smallPrint && links.length === 0) return null;
  return html`<footer>
${smallPrint && html`<p>${smallPrint}</p>\n`}${links.length > 0 && html`${linkList(links)}\n`}</footer>
`;
}
