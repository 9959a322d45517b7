import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Act } from '../api/act.js';
import type { Issue, Problem } from '../api/problem.js';
import { frameWords as t } from '../frame/words.js';
import { Button } from './button.js';
import { Icon } from './icon.js';

interface FieldProps {
  /** As the service names it; its issues are shown at the field. */
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly problem?: Problem | null | undefined;
}

const issueOf = (problem: Problem | null | undefined, name: string): Issue | undefined =>
  problem?.issues.find(({ path }) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`));

/** A label, a hint, the field, and what is wrong with it. */
function Field(
  props: FieldProps & {
    readonly children: (field: {
      id: string;
      name: string;
      describedBy: string;
      isWrong: boolean;
    }) => ComponentChildren;
  },
) {
  const id = useId();
  const issue = issueOf(props.problem, props.name);
  const describedBy = [props.hint && `${id}-hint`, issue && `${id}-issue`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.hint && (
        <p class="hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
      {props.children({ id, name: props.name, describedBy, isWrong: issue !== undefined })}
      {issue && (
        <p class="issue" id={`${id}-issue`}>
          <Icon name="alert" />
          {issue.message}
        </p>
      )}
    </div>
  );
}

type Typed = 'text' | 'email' | 'url' | 'number' | 'date' | 'datetime-local' | 'password' | 'search';

export function TextField(
  props: FieldProps & {
    readonly value: string;
    readonly onInput: (value: string) => void;
    readonly type?: Typed;
    readonly maxLength?: number;
    readonly isRequired?: boolean;
    readonly isMono?: boolean;
    /** It has the focus when it appears. */
    readonly isFirst?: boolean;
    /** More than one: a text of several lines. */
    readonly rows?: number;
    readonly min?: string;
    readonly max?: string;
    readonly placeholder?: string;
    readonly autocomplete?: string;
  },
) {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useEffect(() => {
    // After the frame has given the focus to a new screen.
    const timer = props.isFirst ? setTimeout(() => field.current?.focus()) : undefined;
    return () => clearTimeout(timer);
  }, []);
  return (
    <Field {...props}>
      {({ id, name, describedBy, isWrong }) => {
        const common = {
          id,
          name,
          value: props.value,
          required: props.isRequired === true,
          ref: field,
          'aria-describedby': describedBy || undefined,
          'aria-invalid': isWrong,
          class: props.isMono ? 'mono' : undefined,
          maxLength: props.maxLength,
          placeholder: props.placeholder,
          onInput: (event: { currentTarget: { value: string } }) => props.onInput(event.currentTarget.value),
        };
        return (props.rows ?? 1) > 1 ? (
          <textarea {...common} rows={props.rows} spellcheck={!props.isMono} />
        ) : (
          <input
            {...({
              ...common,
              type: props.type ?? 'text',
              min: props.min,
              max: props.max,
              autocomplete: props.autocomplete ?? 'off',
            } as InputHTMLAttributes)}
          />
        );
      }}
    </Field>
  );
}

export function SelectField<T extends string>(
  props: FieldProps & {
    readonly value: T;
    readonly options: readonly (readonly [value: T, text: string])[];
    readonly onPick: (value: T) => void;
  },
) {
  return (
    <Field {...props}>
      {({ id, name, describedBy, isWrong }) => (
        <select
          id={id}
          name={name}
          aria-describedby={describedBy || undefined}
          aria-invalid={isWrong}
          onChange={({ currentTarget }) => props.onPick(currentTarget.value as T)}
        >
          {props.options.map(([value, text]) => (
            <option key={value} value={value} selected={value === props.value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function CheckField(props: {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value: boolean;
  readonly onToggle: (value: boolean) => void;
}) {
  const id = useId();
  return (
    <div class="field check">
      <input
        id={id}
        type="checkbox"
        checked={props.value}
        aria-describedby={props.hint ? `${id}-hint` : undefined}
        onChange={({ currentTarget }) => props.onToggle(currentTarget.checked)}
      />
      <label for={id}>{props.label}</label>
      {props.hint && (
        <p class="hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
    </div>
  );
}

/** What was refused, at the top of a form, with what no field shows. It takes the focus when it appears. */
export function FormTrouble(props: { readonly problem: Problem | null }) {
  const box = useRef<HTMLDivElement>(null);
  const { problem } = props;
  useEffect(() => {
    if (problem) box.current?.focus();
  }, [problem]);
  if (!problem) return null;
  return (
    <div class="note no" role="alert" tabIndex={-1} ref={box}>
      <Icon name="alert" />
      <div>
        <b>{problem.detail ?? t(`trouble.${problem.kind}.why`)}</b>
        {problem.issues.length > 0 && (
          <ul>
            {problem.issues.map(({ path, message }) => (
              <li key={path}>
                <code>{path}</code> {message}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

/**
 * A native dialog that says what an act will do before it is pressed. Escape and Cancel close it; `onDone` comes after the
 * act was done, with the dialog closed.
 */
export function ActDialog(props: {
  readonly title: string;
  /** What will happen, and for whom. */
  readonly lead?: ComponentChildren;
  /** What the button says: the act itself, such as "Erase this person". */
  readonly submit: string;
  readonly look?: 'main' | 'danger';
  readonly isOpen: boolean;
  readonly act: Act<readonly []>;
  /** The dialog stays open after the act: another step follows. */
  readonly isStep?: boolean;
  /** The act cannot be pressed yet. */
  readonly isOff?: boolean;
  readonly onClose: () => void;
  readonly onDone?: () => void;
  readonly children?: ComponentChildren;
}) {
  const { act } = props;
  const submit = async () => {
    if (!(await act.run())) return;
    if (!props.isStep) props.onClose();
    props.onDone?.();
  };
  return (
    <Dialog title={props.title} isOpen={props.isOpen} onClose={props.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <FormTrouble problem={act.problem} />
        {props.lead && <div class="lead">{props.lead}</div>}
        {props.children}
        <div class="acts">
          <Button onPress={props.onClose}>{t('cancel')}</Button>
          <Button type="submit" look={props.look ?? 'main'} isBusy={act.isBusy} isOff={props.isOff === true}>
            {props.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

export function Dialog(props: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly isWide?: boolean;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // At once, so that keys that are pressed meanwhile go into the dialog.
  useLayoutEffect(() => {
    if (props.isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [props.isOpen]);
  const isGone = useRef(false);
  // A dialog that goes while it is open gives the focus back, too.
  useEffect(() => {
    const own = dialog.current;
    return () => {
      isGone.current = true;
      own?.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={props.isWide ? 'wide' : undefined}
      aria-labelledby={id}
      // The event comes a moment later: the dialog may be open again.
      onClose={() => isGone.current || dialog.current?.open || props.onClose()}
    >
      {props.isOpen && (
        <>
          <header>
            <h2 id={id}>{props.title}</h2>
            <button type="button" class="btn quiet only-icon" aria-label={t('close')} onClick={() => props.onClose()}>
              <Icon name="cross" />
            </button>
          </header>
          <div class="pad">{props.children}</div>
        </>
      )}
    </dialog>
  );
}

/** The reason for an act, which the log keeps. */
export function ReasonField(props: {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly problem: Problem | null;
  readonly isRequired?: boolean;
}) {
  return (
    <TextField
      name="reason"
      label={t('reason')}
      hint={t('reason.hint')}
      isRequired={props.isRequired ?? true}
      maxLength={500}
      {...props}
    />
  );
}
