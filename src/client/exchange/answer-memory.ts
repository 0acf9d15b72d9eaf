/**
 * The most that all answers under way in this process hold together. It counts the bytes of bodies,
 * unpacked, from their arrival until the last one is there. An answer is then made into text and
 * values at once, one answer at a time; for that moment they come on top.
 */
const TOGETHER_BYTES = 256 * 1024 * 1024;

/** The largest answer that is read, after unpacking. 10,000 rows are about 3 MB. */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** One answer's part of the memory. */
export interface Holding {
  /**
   * Counts bytes that have arrived.
   *
   * @returns true when more may be read; false when `onRoom` will be called once it may.
   */
  readonly add: (bytes: number, onRoom: () => void) => boolean;
  /** Nothing of the answer is held any more. */
  readonly release: () => void;
}

/**
 * Keeps what answers under way hold within bounds: those for which there is no room are not read on
 * for a while. The last part of the memory, as much as the largest answer takes, is always for one of
 * them alone, so that one can always be read to its end, however many have begun.
 */
export class AnswerMemory {
  private held = 0;
  /** Whose the last part is. */
  private foremost: Holding | undefined;
  private readonly waiting = new Map<Holding, () => void>();

  /**
   * @param together bytes of all answers.
   * @param largest bytes of one answer; a reader gives up beyond that.
   */
  constructor(
    private readonly together: number,
    readonly largest: number,
  ) {}

  /** Bytes that are held now. */
  get inUse(): number {
    return this.held;
  }

  hold(): Holding {
    let own = 0;
    const holding: Holding = {
      add: (bytes, onRoom) => {
        own += bytes;
        this.held += bytes;
        if (this.hasRoom || this.foremost === holding) return true;
        if (this.foremost === undefined) {
          this.foremost = holding;
          return true;
        }
        this.waiting.set(holding, onRoom);
        return false;
      },
      release: () => {
        this.held -= own;
        own = 0;
        this.waiting.delete(holding);
        if (this.foremost === holding) this.foremost = undefined;
        this.goOn();
      },
    };
    return holding;
  }

  private get hasRoom(): boolean {
    return this.held <= this.together - this.largest;
  }

  private goOn(): void {
    for (const [holding, onRoom] of [...this.waiting]) {
      if (!this.hasRoom) {
        if (this.foremost !== undefined) return;
        this.foremost = holding;
      }
      this.waiting.delete(holding);
      onRoom();
    }
  }
}

/** The only one of this process; it has no state but what is under way. */
export const answerMemory = new AnswerMemory(TOGETHER_BYTES, MAX_RESPONSE_BYTES);
