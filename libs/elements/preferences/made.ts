type Attributes = Readonly<Record<string, string | boolean | null | undefined>>;
export type Inside = Node | string | null | undefined | false;

/** An element with attributes (`true`: without a value; false, null, undefined: not there) and what is in it, as texts. */
export function made<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...inside: Inside[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, value === true ? '' : value);
  element.append(
    ...inside.filter((each): each is Node | string => each !== null && each !== undefined && each !== false),
  );
  return element;
}

/** A text of the catalogue, in its language and whichever direction it runs. */
export const theirs = (text: string, lang: string): HTMLElement => made('bdi', { lang }, text);

/** A button of the element. Type `button`: no form of the page is sent. */
export function pressed(words: string, act: () => unknown, attributes: Attributes = {}): HTMLButtonElement {
  const button = made('button', { type: 'button', part: 'button', ...attributes }, words);
  button.addEventListener('click', act);
  return button;
}

/** A choice of one. `none`: what stands for no answer; null: one has to be given. */
export function select(
  options: readonly { readonly value: unknown; readonly label: string }[],
  chosen: string,
  none: string | null,
  attributes: Attributes,
): HTMLSelectElement {
  const all = none === null ? options : [{ value: '', label: none }, ...options];
  const choice = made(
    'select',
    attributes,
    ...all.map(({ value, label }) => made('option', { value: String(value), selected: value === chosen }, label)),
  );
  choice.value = chosen;
  return choice;
}
