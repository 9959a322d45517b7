import { useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import { say } from '../../frame/said.js';
import { Button } from '../../parts/button.js';
import { ActDialog, SelectField } from '../../parts/form.js';
import { Card, Fact, Facts } from '../../parts/page.js';
import { may, type Place } from '../../session.js';
import type { Draft } from './catalogue.js';
import { term, words as t } from './words.js';

/** Where the catalogue is written and who has to look at it before it is published. */
export function Owner(props: { readonly place: Place; readonly draft: Draft; readonly onChange: () => void }) {
  const { place, draft } = props;
  const [isOpen, setOpen] = useState(false);
  const { owner, approval } = draft.settings;
  return (
    <Card
      title={t('owner.title')}
      end={
        may('changeCatalogueSettings', place) && (
          <Button
            look="quiet"
            icon="gear"
            onPress={() => {
              setOpen(true);
            }}
          >
            {t('owner.change')}
          </Button>
        )
      }
    >
      <Facts>
        <Fact term={t('owner.where')}>{term('owner.why', owner)}</Fact>
        <Fact term={t('owner.eyes')}>{term('approval.why', approval)}</Fact>
      </Facts>
      <OwnerDialog {...props} isOpen={isOpen} onClose={() => setOpen(false)} />
    </Card>
  );
}

function OwnerDialog(props: {
  readonly place: Place;
  readonly draft: Draft;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onChange: () => void;
}) {
  const { place, draft } = props;
  const [owner, setOwner] = useState(draft.settings.owner as 'FILES' | 'CONSOLE');
  const [approval, setApproval] = useState(draft.settings.approval as 'NONE' | 'FOUR_EYES');
  const act = useAct((once) =>
    answered(
      api.PATCH('/admin/v1/sites/{site}/{env}/catalogue/settings', {
        params: { path: { ...place } },
        headers: once.headers,
        body: { owner, approval },
      }),
    ),
  );
  return (
    <ActDialog
      title={t('owner.title')}
      lead={<p>{t('owner.lead')}</p>}
      submit={t('owner.save')}
      isOpen={props.isOpen}
      act={act}
      onClose={props.onClose}
      onDone={() => {
        say(t('owner.done'));
        props.onChange();
      }}
    >
      <SelectField
        name="owner"
        label={t('owner.where')}
        hint={term('owner.why', owner)}
        value={owner}
        problem={act.problem}
        options={(['CONSOLE', 'FILES'] as const).map((each) => [each, term('owner', each)] as const)}
        onPick={setOwner}
      />
      <SelectField
        name="approval"
        label={t('owner.eyes')}
        hint={term('approval.why', approval)}
        value={approval}
        problem={act.problem}
        options={(['FOUR_EYES', 'NONE'] as const).map((each) => [each, term('approval', each)] as const)}
        onPick={setApproval}
      />
    </ActDialog>
  );
}
