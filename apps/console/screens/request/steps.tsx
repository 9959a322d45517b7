import { useState } from 'preact/hooks';
import { useAct } from '../../api/act.js';
import { answered, api } from '../../api/client.js';
import type { Resource } from '../../api/resource.js';
import { say } from '../../frame/said.js';
import { Button } from '../../parts/button.js';
import { FormTrouble } from '../../parts/form.js';
import { Card } from '../../parts/page.js';
import { may, type Place } from '../../session.js';
import { OPERATION, stepsOf, type Request, type Step } from './allowed.js';
import { CompleteDialog } from './complete.js';
import { CancelDialog, ExtendDialog, HoldDialog, RejectDialog, VerifyDialog } from './dialogs.js';
import type { Plan } from './plan.js';
import { stepWords as t } from './words.js';

/** What a dialog of a step is given. */
export interface StepProps {
  readonly place: Place;
  readonly request: Request;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The step was taken. */
  readonly onDone: () => void;
}

const DIALOGS = {
  verify: VerifyDialog,
  hold: HoldDialog,
  extend: ExtendDialog,
  reject: RejectDialog,
  cancel: CancelDialog,
} as const;

/** What the operator may do with the request now, the next step first. */
export const allowedSteps = (place: Place, request: Request): Step[] =>
  stepsOf(request, Date.now()).filter((step) => may(OPERATION[step], place));

/** Buttons of steps, with the dialogs behind them. */
export function Steps(props: {
  readonly place: Place;
  readonly request: Request;
  readonly plan: Resource<Plan | null>;
  readonly steps: readonly Step[];
  readonly isLoud?: boolean;
  readonly onChange: () => void;
}) {
  const { place, request, steps } = props;
  const [asked, setAsked] = useState<Step | null>(null);
  const path = { ...place, id: request.id };
  const act = useAct((once, step: 'start' | 'resume') =>
    step === 'start'
      ? answered(api.POST('/admin/v1/sites/{site}/{env}/data-requests/{id}/start', { params: { path }, ...once }))
      : answered(api.POST('/admin/v1/sites/{site}/{env}/data-requests/{id}/resume', { params: { path }, ...once })),
  );
  const done = (step: Step) => {
    say(t(`${step}.done`));
    props.onChange();
  };
  const press = async (step: Step) => {
    if (step !== 'start' && step !== 'resume') setAsked(step);
    else if (await act.run(step)) done(step);
  };
  const dialog = (step: Step) => ({
    place,
    request,
    isOpen: asked === step,
    onClose: () => setAsked(null),
    onDone: () => done(step),
  });
  return (
    <>
      <FormTrouble problem={act.problem} />
      {steps.map((step) => (
        <Button
          key={step}
          look={props.isLoud ? 'main' : step === 'reject' ? 'danger' : 'plain'}
          isBusy={act.isBusy}
          onPress={() => void press(step)}
        >
          {t(step)}
        </Button>
      ))}
      {steps.map((step) => {
        if (step === 'start' || step === 'resume') return null;
        if (step === 'complete') return <CompleteDialog key={step} {...dialog(step)} plan={props.plan} />;
        const Drawn = DIALOGS[step];
        return <Drawn key={step} {...dialog(step)} />;
      })}
    </>
  );
}

export function OtherSteps(props: Parameters<typeof Steps>[0]) {
  if (props.steps.length === 0) return null;
  return (
    <Card title={t('steps')}>
      <div class="way">
        <Steps {...props} />
      </div>
    </Card>
  );
}
