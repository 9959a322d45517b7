import type { Problem } from '../../api/problem.js';
import { wordsOf } from '../../words.js';
import { CheckField, TextField } from '../form.js';
import { groupsOf, type EventCatalogue } from './catalogue.js';
import table from './words.json';

const t = wordsOf(table);
const [DESCRIPTION_MAX, URL_MAX] = [300, 2048];

/** What an operator says of an endpoint. */
export interface EndpointDraft {
  readonly url: string;
  readonly description: string;
  /** Types, groups such as `consent.*`, or `*`. */
  readonly types: readonly string[];
  readonly includeIdentifiers: boolean;
}

export const NEW_ENDPOINT: EndpointDraft = { url: '', description: '', types: ['*'], includeIdentifiers: false };

/** What the service is sent of a draft. */
export const endpointBody = ({ url, description, types, includeIdentifiers }: EndpointDraft) => ({
  url: url.trim(),
  description: description.trim() === '' ? null : description.trim(),
  types: [...types],
  includeIdentifiers,
});

export function EndpointFields(props: {
  readonly draft: EndpointDraft;
  readonly catalogue: EventCatalogue;
  readonly problem: Problem | null;
  readonly onChange: (draft: EndpointDraft) => void;
}) {
  const { draft, problem } = props;
  const change = (part: Partial<EndpointDraft>) => props.onChange({ ...draft, ...part });
  return (
    <>
      <TextField
        name="url"
        label={t('url')}
        hint={t('url.hint')}
        type="url"
        value={draft.url}
        onInput={(url) => change({ url })}
        maxLength={URL_MAX}
        isRequired
        problem={problem}
      />
      <TextField
        name="description"
        label={t('description')}
        value={draft.description}
        onInput={(description) => change({ description })}
        maxLength={DESCRIPTION_MAX}
        problem={problem}
      />
      <EventTypes chosen={draft.types} catalogue={props.catalogue} onChange={(types) => change({ types })} />
      <CheckField
        label={t('identifiers')}
        hint={t('identifiers.hint')}
        value={draft.includeIdentifiers}
        onToggle={(includeIdentifiers) => change({ includeIdentifiers })}
      />
    </>
  );
}

/** Everything, whole groups, or single types of events. */
function EventTypes(props: {
  readonly chosen: readonly string[];
  readonly catalogue: EventCatalogue;
  readonly onChange: (types: readonly string[]) => void;
}) {
  const { chosen } = props;
  const toggle = (pattern: string) => (isOn: boolean) =>
    props.onChange(
      isOn ? [...chosen.filter((each) => each !== '*'), pattern] : chosen.filter((each) => each !== pattern),
    );
  const isAll = chosen.includes('*');
  return (
    <fieldset class="event-types">
      <legend>{t('types')}</legend>
      <CheckField
        label={t('types.all')}
        hint={t('types.all.hint')}
        value={isAll}
        onToggle={(isOn) => props.onChange(isOn ? ['*'] : [])}
      />
      {!isAll &&
        groupsOf(props.catalogue.events).map(([group, types]) => {
          const whole = `${group}.*`;
          return (
            <div key={group}>
              <CheckField label={t('types.group', { group })} value={chosen.includes(whole)} onToggle={toggle(whole)} />
              {!chosen.includes(whole) && (
                <details open={types.some(({ type }) => chosen.includes(type))}>
                  <summary>{t('types.single', { n: types.length })}</summary>
                  {types.map(({ type, description }) => (
                    <CheckField
                      key={type}
                      label={type}
                      hint={description}
                      value={chosen.includes(type)}
                      onToggle={toggle(type)}
                    />
                  ))}
                </details>
              )}
            </div>
          );
        })}
    </fieldset>
  );
}
