import { useState } from 'preact/hooks';
import { answered, api } from '../../api/client.js';
import { usePages, useResource } from '../../api/resource.js';
import { Badge } from '../../parts/badge.js';
import { SelectField } from '../../parts/form.js';
import { Card } from '../../parts/page.js';
import { Empty, Loaded, More, Note } from '../../parts/states.js';
import { Time } from '../../parts/time.js';
import type { Place } from '../../session.js';
import type { CatalogueVersion } from './catalogue.js';
import { FieldDifferences } from './difference.js';
import type { FieldDifference } from './differences.js';
import { term, who, words as t } from './words.js';

/** What was published together: when, by whom, from where, and what it changed. */
export function Versions({ place }: { readonly place: Place }) {
  const [shown, setShown] = useState<number | null>(null);
  const versions = usePages(
    (cursor) =>
      answered(
        api.GET('/admin/v1/sites/{site}/{env}/catalogue/versions', {
          params: { path: { ...place }, query: { limit: 20, ...(cursor !== null && { cursor }) } },
        }),
      ),
    [place.site, place.env],
  );
  return (
    <Card title={t('versions.title')} isFlush>
      <Loaded of={versions} empty={<Empty icon="text" title={t('versions.none')} />}>
        {(rows) => (
          <>
            <ul class="list">
              {rows.map((row) => (
                <Version
                  key={row.version}
                  place={place}
                  version={row}
                  isOpen={shown === row.version}
                  onToggle={() => setShown(shown === row.version ? null : row.version)}
                />
              ))}
            </ul>
            <More of={versions} />
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Version(props: {
  readonly place: Place;
  readonly version: CatalogueVersion;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) {
  const { version, at, by, editedBy, source, changes } = props.version;
  const summaries = [...new Set(changes.flatMap(({ summary }) => summary ?? []))];
  return (
    <li class="version">
      <div class="t">
        <b>
          {t('version.n', { n: version })}: {summaries.slice(0, 3).join(' ')}
        </b>
        <span>
          <Time at={at} /> · {t('versions.by', { who: who(by) })}
          {editedBy !== null && editedBy !== by && ` · ${t('versions.edited', { who: who(editedBy) })}`} ·{' '}
          {changes.map(({ object, key }) => (object === 'purpose' ? key : term('object', object))).join(', ')}
        </span>
        {props.isOpen && <Difference place={props.place} version={version} />}
      </div>
      <Badge tone="off" icon={source === 'FILES' ? 'text' : 'person'}>
        {term('owner', source)}
      </Badge>
      <button type="button" class="btn quiet" aria-expanded={props.isOpen} onClick={props.onToggle}>
        {t(props.isOpen ? 'versions.hide' : 'versions.show')}
        <span class="unseen"> {t('version.n', { n: version })}</span>
      </button>
    </li>
  );
}

/** A version against any earlier one, by default the one before. */
function Difference({ place, version }: { readonly place: Place; readonly version: number }) {
  const [from, setFrom] = useState(version - 1);
  const difference = useResource(
    () =>
      answered(
        api.GET('/admin/v1/sites/{site}/{env}/catalogue/versions/{n}/diff', {
          params: { path: { ...place, n: String(version) }, query: { from } },
        }),
      ),
    [version, from],
  );
  // Of a long history the last hundred; older ones are compared with step by step.
  const earlier = Array.from({ length: Math.min(version, 100) }, (_, n) => version - 1 - n);
  return (
    <div class="inside">
      {version > 1 && (
        <SelectField
          name="from"
          label={t('versions.from')}
          value={String(from)}
          options={earlier.map((n) => [String(n), n === 0 ? t('versions.empty') : t('version.n', { n })] as const)}
          onPick={(n) => setFrom(Number(n))}
        />
      )}
      <Loaded of={difference}>
        {({ changes, isCut }) => (
          <>
            {changes.map(({ object, key, action, fields }) => (
              <details key={object + key} open={changes.length <= 3}>
                <summary>
                  <b>{object === 'purpose' ? key : term('object', object)}</b> {term('became', action)}
                </summary>
                <FieldDifferences fields={fields as readonly FieldDifference[]} />
              </details>
            ))}
            {changes.length === 0 && <p class="small">{t('diff.none')}</p>}
            {isCut && <Note>{t('versions.cut')}</Note>}
          </>
        )}
      </Loaded>
    </div>
  );
}
