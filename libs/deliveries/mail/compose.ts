import { textBeside } from '../../engines/text-beside.js';
import { pageOf } from '../../pages/frame.js';
import { html, joined } from '../../pages/html.js';
import { compact } from '../../pages/style.js';

/** Content of a mail. The caller gives each text as plain text in the recipient's language. */
export interface MailContent {
  /** BCP 47. */
  language: string;
  dir: 'ltr' | 'rtl';
  /** Name of the sender, shown above everything. */
  sender?: string;
  /** Colours of the button, `#rrggbb`, by colour scheme. Its text needs a contrast of 4.5:1. Null or absent: our own. */
  accent?: { light: ButtonColors; dark: ButtonColors } | null;
  heading: string;
  paragraphs: readonly string[];
  /** The one action of the mail; http or https. */
  button?: { label: string; url: string };
  /** Small print: the sender and the reason of the mail. */
  footer: readonly string[];
  /** Links below the small print, such as the imprint; https. */
  links?: readonly { label: string; url: string }[];
}

export interface ButtonColors {
  color: string;
  text: string;
}

/**
 * Contrast is 4.5:1 or more in both schemes: 16:1 and 13:1 for text, 6.5:1 and 7:1 for small print, 6.8:1 for the
 * button.
 */
const OWN_ACCENT: ButtonColors = { color: '#0b57b0', text: '#ffffff' };

const STYLE = compact(textBeside(import.meta.url, './mail.css'));

/**
 * The text and the HTML part of a multipart/alternative mail; both say the same. The mail loads nothing, reports to no
 * server that it was read, and links directly. Throws if the button's address is no web address: that is a bug.
 */
export function composeMail({
  language,
  dir,
  sender,
  accent,
  heading,
  paragraphs,
  button,
  footer,
  links = [],
}: MailContent): { text: string; html: string } {
  const { light, dark } = accent ?? { light: OWN_ACCENT, dark: OWN_ACCENT };
  const addresses = links.map(({ label, url: to }) => ({ label, url: webAddress(to) }));
  const smallPrint = [...footer, ...addresses.map(({ label, url: to }) => `${label}: ${to}`)];
  const url = button && webAddress(button.url);
  const text = [
    ...(sender === undefined ? [] : [sender]),
    heading,
    ...paragraphs,
    ...(button ? [`${button.label}\n${url!}`] : []),
    ...(smallPrint.length > 0 ? [`--\n${smallPrint.join('\n')}`] : []),
  ].join('\n\n');
  const parts = [
    ...(sender === undefined ? [] : [html`<p class="sender">${sender}</p>`]),
    html`<h1>${heading}</h1>`,
    ...paragraphs.map((paragraph) => html`<p>${paragraph}</p>`),
    // Inline as well, because some mail programs drop style sheets: the link would be white on white.
    ...(button
      ? [
          html`<p class="button"><a href="${url!}" style="background:${light.color};color:${light.text};padding:.8rem 1.4rem">${button.label}</a></p>`,
        ]
      : []),
    ...(smallPrint.length > 0
      ? [
          html`<div class="small">${footer.map((line) => html`<p>${line}</p>`)}${addresses.map(({ label, url: to }) => html`<p><a href="${to}">${label}</a></p>`)}</div>`,
        ]
      : []),
  ];
  const page = pageOf(
    {
      language,
      title: heading,
      style: STYLE + (accent ? buttonInTheDark(dark) : ''),
      head: html`<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
`,
      isListed: true,
      isMail: true,
    },
    html`<main lang="${language}" dir="${dir}">
${joined(parts, '\n')}
</main>
`,
  );
  return { text: `${text}\n`, html: page };
}

/** Overrides the inline colours, which are for the light scheme. */
const buttonInTheDark = ({ color, text }: ButtonColors): string =>
  `@media (prefers-color-scheme:dark){.button a{background:${color}!important;color:${text}!important}}`;

function webAddress(text: string): string {
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TypeError('the button of a mail leads to a web address');
  return url.href;
}
