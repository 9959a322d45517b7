import type { Resource } from '../../api/resource.js';
import { at } from '../../addresses.js';
import { Badge } from '../../parts/badge.js';
import { CopyButton } from '../../parts/button.js';
import { Card } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import type { Place } from '../../session.js';
import { DOCUMENTS, OBJECT_OF, purposeFiles, type CatalogueFiles, type Draft } from './catalogue.js';
import { differencesOf } from './differences.js';
import { FieldDifferences } from './difference.js';
import { asYaml } from './yaml.js';
import { term, words as t } from './words.js';

interface ChangedFile {
  readonly object: string;
  readonly key: string;
  /** As people call it. */
  readonly name: string;
  /** In a folder that `assent catalogue apply` takes. */
  readonly file: string;
  /** Undefined: it is new. */
  readonly before: unknown;
  readonly after: unknown;
}

function changedFiles(draft: CatalogueFiles, published: CatalogueFiles): readonly ChangedFile[] {
  const before = new Map(purposeFiles(published).map((file) => [file.key, file]));
  const purposes = purposeFiles(draft).map((file) => ({
    ...{ object: 'purpose', key: file.key, file: `purposes/${file.key}.yaml` },
    name: file.translations?.[file.defaultLocale ?? '']?.name || file.key,
    ...{ before: before.get(file.key), after: file },
  }));
  const documents = DOCUMENTS.filter((name) => draft[name] !== undefined).map((name) => ({
    ...{ object: OBJECT_OF[name], key: name, file: `${name}.yaml`, name: term('object', OBJECT_OF[name]) },
    ...{ before: published[name], after: draft[name] },
  }));
  return [...purposes, ...documents].filter(({ before: was, after }) => differencesOf(was ?? {}, after).length > 0);
}

/** What the draft says otherwise than what is published, word by word; where files own the catalogue, as YAML to copy. */
export function ChangedFiles(props: {
  readonly place: Place;
  readonly draft: Draft;
  readonly published: Resource<CatalogueFiles>;
}) {
  const { draft, place } = props;
  return (
    <Card title={t('changes.title')}>
      <Loaded of={props.published}>
        {(published) => {
          const changed = changedFiles(draft.files, published);
          if (changed.length === 0) return <p class="quiet">{t('changes.none')}</p>;
          return changed.map(({ object, key, name, file, before, after }) => (
            <details key={file} class="changed" open={changed.length <= 3}>
              <summary>
                <b>{name}</b> {object === 'purpose' && <code>{key}</code>}{' '}
                {before === undefined && (
                  <Badge tone="yes" icon="plus">
                    {t('changes.new')}
                  </Badge>
                )}
              </summary>
              <FieldDifferences fields={differencesOf(before ?? {}, after)} />
              <div class="acts">
                {object === 'purpose' && <a href={at(place, 'purposes', key)}>{t('changes.open')}</a>}
                {object === 'banner' && <a href={at(place, 'banner')}>{t('changes.open')}</a>}
                <CopyButton text={asYaml(after)}>{t('changes.copy', { file })}</CopyButton>
              </div>
            </details>
          ));
        }}
      </Loaded>
    </Card>
  );
}
