/** The officially assigned codes of ISO 3166-1 alpha-2, as of November 2026. */
export const COUNTRY_CODES: ReadonlySet<string> = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO ' +
    'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE ' +
    'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO ' +
    'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW ' +
    'PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM ' +
    'TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
);

/** Kosovo. ISO has not assigned the code; the European Union, banks and databases of IP addresses use it. */
const KOSOVO = 'XK';

/**
 * Codes that are used beside the assigned ones and stand for one country: those that ISO 3166-1 has reserved exceptionally
 * (`UK`, and parts of a state), Greece in the European Union, and those that states gave up. Codes that stand for several,
 * such as `EU`, `SU` and `AN`, are none.
 */
const STAND_FOR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    UK: 'GB',
    EL: 'GR',
    AC: 'SH',
    CP: 'FR',
    CQ: 'GG',
    DG: 'IO',
    EA: 'ES',
    IC: 'ES',
    TA: 'SH',
    BU: 'MM',
    DD: 'DE',
    FX: 'FR',
    TP: 'TL',
    YD: 'YE',
    ZR: 'CD',
  }),
);

/**
 * The one spelling of a country code, for every code that comes in: `GB` for both `GB` and `UK`. Null where the code
 * stands for no country or for several.
 */
export const countryOf = (code: string): string | null =>
  COUNTRY_CODES.has(code) || code === KOSOVO ? code : (STAND_FOR.get(code) ?? null);

/** The same for a region of ISO 3166-2 with its country: `GB-SCT` for `UK-SCT`; null where there is no such country. */
export function regionOf(code: string): string | null {
  const country = countryOf(code.slice(0, 2));
  return country && `${country}${code.slice(2)}`;
}
