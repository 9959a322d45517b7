import { useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { useAct } from '../../api/act.js';
import { Button } from '../../parts/button.js';
import { FormTrouble, TextField } from '../../parts/form.js';
import { Card } from '../../parts/page.js';

interface PastedFormProps<Answer> {
  readonly name: string;
  readonly title: string;
  readonly label: string;
  readonly hint: string;
  readonly act: string;
  readonly look: (text: string) => Promise<Answer>;
  /** Draws what was found. It goes as soon as the text changes. */
  readonly children: (found: Answer) => ComponentChildren;
}

/** A field for text that an operator was sent, a button that has it looked at, and below what was found. */
export function PastedForm<Answer>({ name, title, label, hint, act: word, look, children }: PastedFormProps<Answer>) {
  const [typed, setTyped] = useState('');
  const [found, setFound] = useState<Answer | null>(null);
  const act = useAct(async (_, text: string) => {
    setFound(null);
    setFound(await look(text));
  });
  return (
    <Card title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void act.run(typed);
        }}
      >
        <FormTrouble problem={act.problem} />
        <TextField
          name={name}
          label={label}
          hint={hint}
          value={typed}
          onInput={(value) => {
            setTyped(value);
            setFound(null);
          }}
          rows={5}
          isMono
          isRequired
        />
        <Button type="submit" isBusy={act.isBusy}>
          {word}
        </Button>
      </form>
      <div role="status">{found !== null && <div class="verdict">{children(found)}</div>}</div>
    </Card>
  );
}
