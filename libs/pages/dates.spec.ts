import { day, dayAndSecond, dayAndTime, span } from './dates.js';
import { LANGUAGES } from './languages.js';

it('says a span of time in words where it is of one unit', () => {
  expect([span('P14M', 'en'), span('P10Y', 'de'), span('P1Y6M', 'en')]).toEqual(['14 months', '10 Jahre', 'P1Y6M']);
});

it.each(LANGUAGES)('says when in the words of %s', (language) => {
  for (const said of [day, dayAndTime, dayAndSecond])
    expect(said('2026-11-21T12:00:00.000Z', language)).toMatch(/26|٢٦/);
});
