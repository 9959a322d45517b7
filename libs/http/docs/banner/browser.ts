/* What a browser has, as far as the scripts of this folder use it; the service itself is compiled without the types of browsers. */
export interface Part {
  id: string;
  className: string;
  hidden: boolean;
  checked: boolean;
  disabled: boolean;
  open: boolean;
  tabIndex: number;
  textContent: string | null;
  dataset: Record<string, string | undefined>;
  style: { setProperty(name: string, value: string): void };
  append(...parts: (Part | string)[]): void;
  replaceChildren(...parts: (Part | string)[]): void;
  setAttribute(name: string, value: string): void;
  addEventListener(event: string, listener: (event: { key: string; preventDefault(): void }) => void): void;
  focus(): void;
  getBoundingClientRect(): { height: number };
  show(): void;
  showModal(): void;
  close(): void;
  remove(): void;
}
export interface Page {
  documentElement: Part;
  body: Part;
  createElement(name: string): Part;
  getElementById(id: string): Part | null;
}
