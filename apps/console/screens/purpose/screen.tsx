import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { ScreenProps } from '../../app.js';
import { at } from '../../addresses.js';
import { answered, api } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Page } from '../../parts/page.js';
import { Loading, Note, Trouble } from '../../parts/states.js';
import { may } from '../../session.js';
import { language } from '../../words.js';
import { askDraft, askPublished, placeOf, purposeFiles, type Draft, type PurposeFile } from '../purposes/catalogue.js';
import { later } from '../../parts/later.js';
import { Status } from '../purposes/list.js';
import { standingOf, TONE_OF } from '../purposes/standing.js';
import { words as p } from '../purposes/words.js';
import { Compared } from './compared.js';
import { PurposeFacts } from './facts.js';
import { Text } from './text.js';
import { words as t } from './words.js';

const Editor = later(async () => ({ default: (await import('./editor.js')).Editor }));

/** A purpose: its words in every language, what stands behind it, its versions, and the form to change it. */
export default function Screen({ place, id: key }: ScreenProps) {
  const { query } = useLocation();
  const [isEditing, setEditing] = useState('edit' in query);
  const purpose = useResource(async () => {
    const draft = await askDraft(place);
    const file = purposeFiles(draft.files).find((each) => each.key === key);
    const isNew = draft.state === 'OPEN' && file && placeOf(await askPublished(place), key) === null;
    const versions = isNew
      ? []
      : await answered(
          api.GET('/admin/v1/sites/{site}/{env}/purposes/{key}/versions', {
            params: { path: { ...place, key }, query: { limit: 200, locale: language.value } },
          }),
        ).then(({ data }) => data);
    return { draft, file, versions };
  }, [key, language.value]);
  const loaded = purpose.value.value;
  if (loaded.state === 'loading') return <Loading />;
  if (loaded.state === 'failed') return <Trouble problem={loaded.problem} onAgain={() => void purpose.reload()} />;
  const { draft, file, versions } = loaded.data;
  const newest = versions.at(-1);
  const mayEdit = may('saveCatalogueDraft', place) && file !== undefined;
  return (
    <Page
      title={newest?.name ?? key}
      trail={
        <>
          <a href={at(place, 'purposes')}>{p('title')}</a> / <code>{key}</code>
        </>
      }
      lead={newest ? <Status status={newest.status} /> : <Badge tone="wait">{t('only-draft')}</Badge>}
      acts={
        mayEdit &&
        !isEditing && (
          <Button look="main" icon="text" onPress={() => setEditing(true)}>
            {t('edit')}
          </Button>
        )
      }
    >
      <div class="grid">
        <Waiting draft={draft} file={file} href={`${at(place, 'purposes')}?view=draft`} place={place} />
        {isEditing && mayEdit && (
          <Editor
            key={draft.tag}
            place={place}
            draft={draft}
            file={file}
            onSaved={() => void purpose.reload()}
            onClose={() => setEditing(false)}
          />
        )}
        {newest && (
          <div class="grid g-main">
            <div class="grid">
              <Text place={place} purpose={newest} />
              <Compared place={place} versions={versions} />
            </div>
            <PurposeFacts purpose={newest} />
          </div>
        )}
      </div>
    </Page>
  );
}

/** Says that the draft changes this purpose, and where that stands. */
function Waiting(props: {
  readonly draft: Draft;
  readonly file: PurposeFile | undefined;
  readonly href: string;
  readonly place: ScreenProps['place'];
}) {
  const { draft, file } = props;
  const isChanged = draft.changes.some(({ key, action }) => key === file?.key && action !== 'NONE');
  if (draft.state === 'NONE' || (!isChanged && draft.issues.length === 0)) return null;
  const standing = standingOf(draft, props.place);
  return (
    <Note tone={standing === 'UNFINISHED' ? 'no' : 'wait'}>
      {t(isChanged ? 'waiting' : 'waiting.unfinished')}{' '}
      <Badge tone={TONE_OF[standing]}>{p(`standing.${standing}`)}</Badge> <a href={props.href}>{t('waiting.look')}</a>
    </Note>
  );
}
