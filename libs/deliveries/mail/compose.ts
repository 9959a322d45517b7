import { escapeHtml } from '../../http/docs/page.js';

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

const STYLE = `body{margin:0;padding:0;background:#ffffff;color:#1b1f24}
main{max-width:36rem;margin:0 auto;padding:1.5rem 1rem;font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;text-align:start}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 1rem}
p{margin:0 0 1rem;overflow-wrap:anywhere}
.sender{font-weight:600}
.button a{display:inline-block;padding:.8rem 1.4rem;border-radius:6px;font-weight:600;text-decoration:none}
.small{margin-top:2rem;padding-top:1rem;border-top:1px solid #d3d8de;font-size:.875rem;color:#565e68}
.small a{color:inherit}
@media (prefers-color-scheme:dark){body{background:#14171b;color:#e7eaee}.small{color:#a7b0bb;border-top-color:#3a424c}}`;

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
    ...(sender === undefined ? [] : [`<p class="sender">${escapeHtml(sender)}</p>`]),
    `<h1>${escapeHtml(heading)}</h1>`,
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    // Inline as well, because some mail programs drop style sheets: the link would be white on white.
    ...(button
      ? [
          `<p class="button"><a href="${escapeHtml(url!)}" style="background:${light.color};color:${light.text};padding:.8rem 1.4rem">${escapeHtml(button.label)}</a></p>`,
        ]
      : []),
    ...(smallPrint.length > 0
      ? [
          `<div class="small">${footer.map((line) => `<p>${escapeHtml(line)}</p>`).join('')}${addresses.map(({ label, url: to }) => `<p><a href="${escapeHtml(to)}">${escapeHtml(label)}</a></p>`).join('')}</div>`,
        ]
      : []),
  ];
  const html = `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(heading)}</title>
<style>${STYLE}${accent ? buttonInTheDark(dark) : ''}</style>
</head>
<body lang="${escapeHtml(language)}" dir="${dir}">
<main lang="${escapeHtml(language)}" dir="${dir}">
${parts.join('\n')}
</main>
</body>
</html>
`;
  return { text: `${text}\n`, html };
}

/** Overrides the inline colours, which are for the light scheme. */
const buttonInTheDark = ({ color, text }: ButtonColors): string =>
  `\n@media (prefers-color-scheme:dark){.button a{background:${color}!important;color:${text}!important}}`;

function webAddress(text: string): string {
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TypeError('the button of a mail leads to a web address');
  return url.href;
}
