import { cut } from '../../../src/client/cut';

it('leaves what is short enough alone', () => {
  expect(cut('four', 4)).toBe('four');
  expect(cut('', 4)).toBe('');
});

it('says that there was more', () => {
  expect(cut('fives', 4)).toBe('five…');
});

it('never leaves half of a character', () => {
  expect(cut('abc🙂d', 4)).toBe('abc…');
  expect(cut('ab🙂cd', 4)).toBe('ab🙂…');
});
