import { asserted, type Claims } from './asserted.js';

describe('what only a secret key may claim', () => {
  it.each<[string, Claims, string[]]>([
    ['a source that is no subject', { source: 'IMPORT' }, ['source: IMPORT needs a secret key']],
    ['a migration', { source: 'MIGRATION' }, ['source: MIGRATION needs a secret key']],
    ['an operator as actor', { actor: { type: 'OPERATOR' } }, ['actor.type: OPERATOR needs a secret key']],
    ['the system as actor', { actor: { type: 'SYSTEM' } }, ['actor.type: SYSTEM needs a secret key']],
    [
      'an operator as method',
      { collection: { method: 'OPERATOR' } },
      ['collection.method: OPERATOR needs a secret key'],
    ],
    [
      'a confirmation by mail',
      { collection: { method: 'CONFIRMATION_LINK' } },
      ['collection.method: CONFIRMATION_LINK needs a secret key'],
    ],
    ['an import as method', { collection: { method: 'IMPORT' } }, ['collection.method: IMPORT needs a secret key']],
    [
      'all of it at once',
      { source: 'IMPORT', actor: { type: 'SYSTEM' }, collection: { method: 'IMPORT' } },
      [
        'source: IMPORT needs a secret key',
        'actor.type: SYSTEM needs a secret key',
        'collection.method: IMPORT needs a secret key',
      ],
    ],
  ])('is %s', (_, claims, told) =>
    expect(asserted(claims).map(({ path, message }) => `${path}: ${message}`)).toEqual(told),
  );

  it('is told with the place where it stands', () =>
    expect(asserted({ source: 'IMPORT' }, 'records[2].').map(({ path }) => path)).toEqual(['records[2].source']));

  it.each<Claims>([{}, { source: 'API', actor: { type: 'SUBJECT' }, collection: { method: 'TOGGLE' } }])(
    'is nothing that subjects say of themselves: %j',
    (claims) => expect(asserted(claims)).toEqual([]),
  );
});
