import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { frameWords } from '../frame/words.js';
import { Icon, type IconName } from './icon.js';

export type Look = 'plain' | 'main' | 'quiet' | 'danger';
const CLASS: Readonly<Record<Look, string>> = {
  plain: 'btn',
  main: 'btn main-act',
  quiet: 'btn quiet',
  danger: 'btn danger',
};

interface ButtonProps {
  readonly look?: Look;
  readonly icon?: IconName;
  readonly children: ComponentChildren;
}

export function Button(
  props: ButtonProps & {
    readonly type?: 'button' | 'submit';
    readonly isBusy?: boolean;
    readonly isOff?: boolean;
    readonly onPress?: () => void;
  },
) {
  return (
    <button
      type={props.type ?? 'button'}
      class={CLASS[props.look ?? 'plain']}
      disabled={props.isOff === true}
      aria-busy={props.isBusy === true}
      onClick={props.onPress && (() => props.onPress!())}
    >
      {props.icon && <Icon name={props.icon} />}
      {props.children}
    </button>
  );
}

/** Looks like a button and leads to an address. */
export function LinkButton(props: ButtonProps & { readonly href: string; readonly download?: string }) {
  return (
    <a
      class={CLASS[props.look ?? 'plain']}
      href={props.href}
      {...(props.download !== undefined && { download: props.download })}
    >
      {props.icon && <Icon name={props.icon} />}
      {props.children}
    </a>
  );
}

/** Copies a text, and says so for a moment. */
export function CopyButton(props: { readonly text: string; readonly children?: ComponentChildren }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(props.text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <Button look="quiet" icon={isCopied ? 'check' : 'copy'} onPress={() => void copy()}>
      <span aria-live="polite">{isCopied ? frameWords('copied') : (props.children ?? frameWords('copy'))}</span>
    </Button>
  );
}

/** One of a few, of which one holds: filters, ranges. */
export function Chips<T extends string>(props: {
  readonly label: string;
  readonly options: readonly (readonly [value: T, text: string])[];
  readonly value: T;
  readonly onPick: (value: T) => void;
}) {
  return (
    <div class="chips" role="group" aria-label={props.label}>
      {props.options.map(([value, text]) => (
        <button
          key={value}
          type="button"
          class="chip"
          aria-pressed={value === props.value}
          onClick={() => props.onPick(value)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
