import type { Environment, Issue } from '../../kernel/index.js';

export const GPP_APPROACHES = ['STATE', 'NATIONAL'] as const;
export const MSPA_MODES = ['OPT_OUT', 'SERVICE_PROVIDER'] as const;

/** What framework strings say about the site, and which of several allowed encodings they use. */
export interface FrameworkSettings {
  tcf: {
    /**
     * Id under which the site, or the provider of its consent tool, is registered with IAB Europe: 2 to 4095. Null:
     * not registered; then no TC string is made in `live`.
     */
    cmpId: number | null;
    /** Version of that tool, 1 to 4095. Null exactly where cmpId is. */
    cmpVersion: number | null;
  };
  gpp: {
    /** STATE: the section of the state of the US. NATIONAL: the national section in every state. */
    approach: (typeof GPP_APPROACHES)[number];
    /** Whether sections with a draft layout are made. If not, the national section replaces them. */
    unsettledSections: boolean;
    /** The Multi-State Privacy Agreement of IAB. */
    mspa: {
      /** Whether the site has signed it and acts under it. */
      covered: boolean;
      /** Which of its two modes. Null exactly where it is not covered. */
      mode: (typeof MSPA_MODES)[number] | null;
    };
  };
}

/** Settings until an operator sets others. */
export const NO_FRAMEWORKS: FrameworkSettings = {
  tcf: { cmpId: null, cmpVersion: null },
  gpp: { approach: 'STATE', unsettledSections: false, mspa: { covered: false, mode: null } },
};

/** The consent tool that TC strings name as their maker. */
export interface Cmp {
  id: number;
  version: number;
  /** Whether the site has named one; if not, this is the id that marks strings as tests. */
  isRegistered: boolean;
}

/** The highest possible id, which IAB Europe has not assigned: a reader of the string sees that it is a test. */
export const TEST_CMP: Cmp = { id: 4095, version: 1, isRegistered: false };

/**
 * In `live` only a registered tool may make strings (policies of TCF, chapter II): null where the site has named none.
 */
export function cmpNamed({ tcf: { cmpId, cmpVersion } }: FrameworkSettings, env: Environment): Cmp | null {
  if (cmpId !== null && cmpVersion !== null) return { id: cmpId, version: cmpVersion, isRegistered: true };
  return env === 'test' ? TEST_CMP : null;
}

/** A change. A field that is left out keeps its value. */
export interface FrameworkChange {
  tcf?: Partial<FrameworkSettings['tcf']>;
  gpp?: Partial<Omit<FrameworkSettings['gpp'], 'mspa'>> & { mspa?: Partial<FrameworkSettings['gpp']['mspa']> };
}

export const changedFrameworks = (before: FrameworkSettings, { tcf, gpp }: FrameworkChange): FrameworkSettings => ({
  tcf: { ...before.tcf, ...tcf },
  gpp: { ...before.gpp, ...gpp, mspa: { ...before.gpp.mspa, ...gpp?.mspa } },
});

/** Ids and versions of consent tools have 12 bits in a TC string. Ids 0 and 1 are reserved. */
export const CMP_ID_MIN = 2;
export const CMP_NUMBER_MAX = 4095;

/** What makes settings unusable, by field. */
export function issuesOfFrameworks({ tcf, gpp }: FrameworkSettings): Issue[] {
  const issues: Issue[] = [];
  const check = (holds: boolean, path: string, message: string) =>
    holds || issues.push({ path: `frameworks.${path}`, message });
  const isWithin = (value: number | null, min: number): boolean =>
    value === null || (Number.isInteger(value) && value >= min && value <= CMP_NUMBER_MAX);
  check(isWithin(tcf.cmpId, CMP_ID_MIN), 'tcf.cmpId', `must be ${CMP_ID_MIN} to ${CMP_NUMBER_MAX}`);
  check(isWithin(tcf.cmpVersion, 1), 'tcf.cmpVersion', `must be 1 to ${CMP_NUMBER_MAX}`);
  check(
    (tcf.cmpId === null) === (tcf.cmpVersion === null),
    tcf.cmpId === null ? 'tcf.cmpId' : 'tcf.cmpVersion',
    'id and version stand together, or neither does',
  );
  check(
    gpp.mspa.covered === (gpp.mspa.mode !== null),
    'gpp.mspa.mode',
    gpp.mspa.covered ? 'is needed where the agreement covers the site' : 'needs an agreement that covers the site',
  );
  return issues;
}
