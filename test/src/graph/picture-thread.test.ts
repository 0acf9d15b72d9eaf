import { drawNetwork } from '../../../src/graph/picture';
import { drawPictures } from '../../../src/graph/picture-thread';
import { network } from './support';

const [one, another] = [network(['Acme', 'Globex']), network(['Initech', 'Hooli', 'Umbrella'])];

it('draws several networks requested at the same time, each separately', async () => {
  const drawn = await Promise.all([one, another, one].map(drawPictures));

  expect(drawn.map(({ svg }) => svg)).toEqual([one, another, one].map((each) => drawNetwork(each)));
  for (const { png } of drawn) expect(Buffer.from(png).subarray(1, 4).toString()).toBe('PNG');
});

it('draws the next network after one that cannot be drawn', async () => {
  await expect(drawPictures({} as never)).rejects.toThrow('nodes is not iterable');

  await expect(drawPictures(one)).resolves.toMatchObject({ svg: drawNetwork(one) });
});
