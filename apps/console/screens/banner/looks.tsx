import { useId } from 'preact/hooks';
import { SelectField, TextField } from '../../parts/form.js';
import { textAt, withValue, type BannerFile } from './file.js';
import { words as t } from './words.js';

const COLOURS = [
  ...(['background', 'text', 'primary', 'onPrimary'] as const),
  ...(['secondary', 'onSecondary', 'border', 'link'] as const),
];
const LAYOUTS = ['BAR', 'BOX', 'DIALOG', 'WALL'] as const;
const POSITIONS = ['TOP', 'BOTTOM', 'CENTER'] as const;
const DISMISSALS = ['REJECT', 'IGNORE'] as const;

/** Form, place, colours and corners of the banner, and what closing it means. */
export function Looks(props: { readonly file: BannerFile; readonly onChange: (file: BannerFile) => void }) {
  const { file } = props;
  const put = (path: readonly string[]) => (value: unknown) => props.onChange(withValue(file, path, value));
  return (
    <>
      <div class="fields">
        <SelectField
          name="layout"
          label={t('layout')}
          value={textAt(file, ['layout']) || 'BOX'}
          options={LAYOUTS.map((each) => [each as string, t(`layout.${each}`)] as const)}
          onPick={put(['layout'])}
        />
        <SelectField
          name="position"
          label={t('position')}
          value={textAt(file, ['position']) || 'BOTTOM'}
          options={POSITIONS.map((each) => [each as string, t(`position.${each}`)] as const)}
          onPick={put(['position'])}
        />
        <SelectField
          name="dismiss"
          label={t('dismiss')}
          value={textAt(file, ['behaviour', 'dismiss']) || 'REJECT'}
          options={DISMISSALS.map((each) => [each as string, t(`dismiss.${each}`)] as const)}
          onPick={put(['behaviour', 'dismiss'])}
        />
        <TextField
          name="radiusPx"
          label={t('radius')}
          type="number"
          min="0"
          max="64"
          value={textAt(file, ['theme', 'radiusPx'])}
          onInput={(value) => put(['theme', 'radiusPx'])(value === '' ? undefined : Number(value))}
        />
      </div>
      {(['light', 'dark'] as const).map((scheme) => (
        <details key={scheme}>
          <summary>{t(`colours.${scheme}`)}</summary>
          <div class="fields">
            {COLOURS.map((name) => (
              <ColourField
                key={name}
                label={t(`colour.${name}`)}
                value={textAt(file, ['theme', scheme, name])}
                onInput={put(['theme', scheme, name])}
              />
            ))}
          </div>
        </details>
      ))}
    </>
  );
}

/** A colour by its six digits, picked or typed; nothing: the one of the banner itself. */
function ColourField(props: {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string | undefined) => void;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <div class="colour">
        <input
          id={id}
          class="mono"
          value={props.value}
          maxLength={7}
          placeholder={t('colour.own')}
          onInput={({ currentTarget: { value } }) => props.onInput(value === '' ? undefined : value.toLowerCase())}
        />
        <input
          type="color"
          aria-label={t('colour.pick', { name: props.label })}
          value={/^#[0-9a-f]{6}$/.test(props.value) ? props.value : '#888888'}
          onInput={({ currentTarget: { value } }) => props.onInput(value)}
        />
      </div>
    </div>
  );
}
