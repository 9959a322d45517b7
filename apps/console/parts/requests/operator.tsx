import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import { may, session } from '../../session.js';
import { requestWords as t } from './words.js';

const names = signal<ReadonlyMap<string, string>>(new Map());
let isAsked = false;

/** Names are for operators who may see all operators; the others see ids. Where the list fails, ids do. */
async function learnNames(): Promise<void> {
  if (isAsked || !may('listOperators')) return;
  isAsked = true;
  const { data } = await answered(api.GET('/admin/v1/operators')).catch(() => ({ data: [] }));
  names.value = new Map(data.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
}

/** An operator by name where it is known, or a key by its id. `id` as the service writes it, with or without `operator:`. */
export function OperatorName(props: { readonly id: string | null }) {
  useEffect(() => void learnNames(), []);
  if (props.id === null) return <>{t('operator.none')}</>;
  const id = props.id.replace(/^operator:/, '');
  if (id === session.value?.operator.id) return <>{t('operator.you')}</>;
  const name = names.value.get(id);
  return name === undefined ? <code>{id}</code> : <>{name}</>;
}
