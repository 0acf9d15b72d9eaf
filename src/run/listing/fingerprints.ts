/** Odd numbers without a pattern: by them each character changes all bits. */
const FACTORS = [0x9e3779b1, 0x85ebca77] as const;

/**
 * Fingerprints of texts, 64 bits each: a million of them all differ but for one chance in tens of
 * millions. They take the place of the texts where so many are kept that V8 would move each of them
 * about in its memory.
 */
export class Fingerprints {
  /** Two numbers for each; two zeros where there is no text. */
  private readonly halves: Uint32Array;

  constructor(length: number) {
    this.halves = new Uint32Array(2 * length);
  }

  get length(): number {
    return this.halves.length / 2;
  }

  set(index: number, text: string | undefined): void {
    if (text === undefined) return;
    this.halves[2 * index] = hashOf(text, FACTORS[0]);
    // Never two zeros.
    this.halves[2 * index + 1] = hashOf(text, FACTORS[1]) || 1;
  }

  /** Whether there is a text. */
  isSet(index: number): boolean {
    return this.second(index) !== 0;
  }

  first(index: number): number {
    return this.halves[2 * index] ?? 0;
  }

  second(index: number): number {
    return this.halves[2 * index + 1] ?? 0;
  }
}

function hashOf(text: string, factor: number): number {
  let hash = factor;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), factor);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ text.length, factor);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** The slots of the smallest set. */
const FEWEST_SLOTS = 1024;

/** A set of fingerprints, in memory of which V8 sees nothing. */
export class FingerprintSet {
  private slots = new Uint32Array(2 * FEWEST_SLOTS);
  private count = 0;

  get size(): number {
    return this.count;
  }

  has(prints: Fingerprints, index: number): boolean {
    return this.slots[this.slotOf(prints.first(index), prints.second(index)) + 1] !== 0;
  }

  add(prints: Fingerprints, index: number): void {
    this.put(prints.first(index), prints.second(index));
    if (4 * this.count > this.slots.length) this.grow();
  }

  clear(): void {
    this.slots.fill(0);
    this.count = 0;
  }

  private put(first: number, second: number): void {
    const slot = this.slotOf(first, second);
    if (this.slots[slot + 1] !== 0) return;
    this.slots[slot] = first;
    this.slots[slot + 1] = second;
    this.count += 1;
  }

  /** Where a fingerprint is, or would be. */
  private slotOf(first: number, second: number): number {
    const { slots } = this;
    let slot = (2 * first) % slots.length;
    while (slots[slot + 1] !== 0 && (slots[slot] !== first || slots[slot + 1] !== second)) {
      slot = (slot + 2) % slots.length;
    }
    return slot;
  }

  private grow(): void {
    const before = this.slots;
    this.slots = new Uint32Array(2 * before.length);
    this.count = 0;
    for (let slot = 0; slot < before.length; slot += 2) {
      const [first = 0, second = 0] = before.subarray(slot, slot + 2);
      if (second !== 0) this.put(first, second);
    }
  }
}
