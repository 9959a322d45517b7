import { proceed } from './proceed.js';

describe('going on with a value', () => {
  it('happens at once where it is there, and errors are thrown at once', () => {
    expect(proceed(2, (value) => value + 1)).toBe(3);
    const fail = () => {
      throw new Error('no');
    };
    expect(() => proceed(2, fail)).toThrow('no');
  });

  it('waits where it is promised, and errors reject', async () => {
    const later = proceed(Promise.resolve(2), (value) => value + 1);
    expect(later).toBeInstanceOf(Promise);
    expect(await later).toBe(3);
    const failing = proceed(Promise.reject<number>(new Error('no')), (value) => value + 1);
    await expect(failing).rejects.toThrow('no');
  });
});
