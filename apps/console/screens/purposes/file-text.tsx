import { useEffect, useId, useState } from 'preact/hooks';
import { words as t } from './words.js';

/**
 * A whole file as text, with what the service says of it beside it. It is JSON, which the service keeps and YAML contains;
 * `onChange` comes for each text that can be read.
 */
export function FileText(props: {
  readonly file: unknown;
  /** What the service said of the file as it was saved. */
  readonly issues: readonly { readonly path: string; readonly message: string }[];
  /** Where their paths begin. */
  readonly at: string;
  readonly onChange: (file: unknown) => void;
}) {
  const id = useId();
  const written = JSON.stringify(props.file, null, 2);
  const [text, setText] = useState(written);
  const [isReadable, setReadable] = useState(true);
  // The form beside it changed the file.
  useEffect(() => {
    if (isReadable && JSON.stringify(parsed(text)) !== JSON.stringify(props.file)) setText(written);
  }, [written]);
  return (
    <div class="file-text">
      <div class="field">
        <label for={id}>{t('file.text')}</label>
        <textarea
          id={id}
          class="mono"
          rows={18}
          dir="ltr"
          spellcheck={false}
          value={text}
          aria-invalid={!isReadable}
          aria-describedby={`${id}-issues`}
          onInput={({ currentTarget: { value } }) => {
            setText(value);
            const file = parsed(value);
            setReadable(file !== null);
            if (file !== null) props.onChange(file);
          }}
        />
      </div>
      <div id={`${id}-issues`} aria-live="polite">
        {!isReadable && <p class="small">{t('file.unreadable')}</p>}
        {props.issues.length === 0 ? (
          <p class="small">{t('file.hint')}</p>
        ) : (
          <ul class="issues">
            {props.issues.map(({ path, message }) => (
              <li key={path + message}>
                <code>{path.slice(props.at.length).replace(/^\./, '')}</code> {message}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

/** The object that a text says; null where it says none. */
function parsed(text: string): object | null {
  try {
    const file: unknown = JSON.parse(text);
    return typeof file === 'object' && file !== null && !Array.isArray(file) ? file : null;
  } catch {
    return null;
  }
}
