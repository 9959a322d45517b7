import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.js';

/** green may, red must not, amber an operator has to act, blue a fact, grey nothing, accent proof. */
export type Tone = 'yes' | 'no' | 'wait' | 'info' | 'off' | 'acc';

const ICONS: Readonly<Record<Tone, IconName>> = {
  yes: 'check',
  no: 'cross',
  wait: 'clock',
  info: 'info',
  off: 'dash',
  acc: 'shield',
};

/** A state in a colour, with an icon and a word, so that colour is never all that says it. */
export function Badge(props: { readonly tone: Tone; readonly icon?: IconName; readonly children: ComponentChildren }) {
  return (
    <span class={`badge ${props.tone}`}>
      <Icon name={props.icon ?? ICONS[props.tone]} />
      {props.children}
    </span>
  );
}
