import { Flag, Nested, OneOf, Whole } from '../../http/contract/fields.js';
import {
  CMP_ID_MIN,
  CMP_NUMBER_MAX,
  GPP_APPROACHES,
  MSPA_MODES,
  type FrameworkChange,
  type FrameworkSettings,
} from '../sites/framework-settings.js';

const CMP_ID = {
  description:
    'Id under which the site, or the provider of its consent tool, is registered with IAB Europe. Null: not registered; then `live` gets no TC strings, and those of `test` carry an id that is marked.',
  example: 300,
  min: CMP_ID_MIN,
  max: CMP_NUMBER_MAX,
  nullable: true,
};
const CMP_VERSION = {
  description: 'Version of that tool. Stands together with `cmpId`.',
  example: 4,
  min: 1,
  max: CMP_NUMBER_MAX,
  nullable: true,
};
const APPROACH = {
  description:
    'STATE: GPP strings hold the section of the state of the US. NATIONAL: they hold the national section in every state. Default STATE.',
  example: 'STATE',
};
const UNSETTLED = {
  description:
    'Whether GPP sections are made whose layout is still a draft. Where not, the national section stands in. Default false.',
  example: false,
};
const COVERED = {
  description:
    'Whether the site has signed the Multi-State Privacy Agreement of IAB and what it does is covered by it. Default false.',
  example: false,
};
const MODE = {
  description: 'In which of its two modes. Null exactly where it is not covered.',
  example: null,
  nullable: true,
};
const TCF = { description: 'IAB TCF.' };
const GPP = { description: 'IAB GPP.' };
const MSPA = { description: 'The Multi-State Privacy Agreement of IAB.' };

/* A field that is left out keeps its value. */

class TcfChangeDto {
  @Whole({ ...CMP_ID, optional: true }) cmpId?: number | null;
  @Whole({ ...CMP_VERSION, optional: true }) cmpVersion?: number | null;
}

class MspaChangeDto {
  @Flag({ ...COVERED, optional: true }) covered?: boolean;
  @OneOf(MSPA_MODES, { ...MODE, optional: true }) mode?: (typeof MSPA_MODES)[number] | null;
}

class GppChangeDto {
  @OneOf(GPP_APPROACHES, { ...APPROACH, optional: true }) approach?: (typeof GPP_APPROACHES)[number];
  @Flag({ ...UNSETTLED, optional: true }) unsettledSections?: boolean;
  @Nested(() => MspaChangeDto, { ...MSPA, optional: true }) mspa?: MspaChangeDto;
}

export class FrameworkSettingsChangeDto implements FrameworkChange {
  @Nested(() => TcfChangeDto, { ...TCF, optional: true }) tcf?: TcfChangeDto;
  @Nested(() => GppChangeDto, { ...GPP, optional: true }) gpp?: GppChangeDto;
}

class TcfSettingsDto {
  @Whole(CMP_ID) cmpId!: number | null;
  @Whole(CMP_VERSION) cmpVersion!: number | null;
}

class MspaSettingsDto {
  @Flag(COVERED) covered!: boolean;
  @OneOf(MSPA_MODES, MODE) mode!: (typeof MSPA_MODES)[number] | null;
}

class GppSettingsDto {
  @OneOf(GPP_APPROACHES, APPROACH) approach!: (typeof GPP_APPROACHES)[number];
  @Flag(UNSETTLED) unsettledSections!: boolean;
  @Nested(() => MspaSettingsDto, MSPA) mspa!: MspaSettingsDto;
}

export class FrameworkSettingsDto implements FrameworkSettings {
  @Nested(() => TcfSettingsDto, TCF) tcf!: TcfSettingsDto;
  @Nested(() => GppSettingsDto, GPP) gpp!: GppSettingsDto;
}
