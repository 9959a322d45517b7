import { NO_BRAND } from '../sites/brand.js';
import { contrast, PAGE_GROUNDS, textOn } from '../../kernel/contrast.js';
import type { SiteState } from '../state.js';
import type { BrandDto, MeasuredColorDto } from './brand.dto.js';

export function brandView({ site, settings }: SiteState): BrandDto {
  const { displayName, accentColor, accentColorDark, afterConfirming, imprintUrl, privacyUrl } =
    settings.brand ?? NO_BRAND;
  const { logo = null } = settings;
  return {
    site: site!,
    displayName,
    logo: logo && {
      mediaType: logo.mediaType,
      width: logo.width,
      height: logo.height,
      bytes: Buffer.byteLength(logo.content, 'base64'),
      sha256: logo.sha256,
    },
    accentColor,
    accentColorDark,
    contrast:
      accentColor === null
        ? null
        : {
            light: measured(accentColor, PAGE_GROUNDS.light),
            dark: measured(accentColorDark ?? accentColor, PAGE_GROUNDS.dark),
          },
    afterConfirming,
    imprintUrl,
    privacyUrl,
  };
}

function measured(color: string, ground: string): MeasuredColorDto {
  const textColor = textOn(color);
  return { color, textColor, text: cutOff(contrast(textColor, color)), page: cutOff(contrast(color, ground)) };
}

/** To two digits, always down: an insufficient contrast must not read as sufficient. */
const cutOff = (ratio: number): number => Math.floor(ratio * 100) / 100;
