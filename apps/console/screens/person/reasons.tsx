import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { Loaded } from '../../parts/states.js';
import { may } from '../../session.js';
import type { Shown } from './person.js';
import { code, t } from './words.js';

/** How the service came to an answer: each step, the rule of the place, and where that rule is written. */
export function Reasons(props: Shown & { readonly purpose: string }) {
  const [isOpen, setOpen] = useState(false);
  if (!may('explainSiteConsent', props.place)) return null;
  return (
    <details class="reasons" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('reasons')}</summary>
      {isOpen && <Steps {...props} />}
    </details>
  );
}

function Steps({ place, id, purpose, asOf, turn }: Shown & { readonly purpose: string }) {
  const explanation = useResource(
    () =>
      answered(
        api.GET('/admin/v1/sites/{site}/{env}/subjects/{ref}/consent/explain', {
          params: { path: { ...place, ref: id }, query: { purpose, ...(asOf !== null && { asOf }) } },
        }),
      ),
    [id, purpose, asOf, turn],
  );
  return (
    <Loaded of={explanation}>
      {({ because }) => (
        <ol class="steps" lang="en">
          {because.map(({ step, text }, i) => (
            <li key={i}>
              <b>{code('step.', step)}</b> {text}
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  );
}
