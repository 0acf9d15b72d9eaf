/** A flag in the data-quality review queue. It never changes company data. */
export interface Flag {
  readonly flagId: number;
  readonly companyId: number;
  readonly description?: string;
}

/** The review queue (States: new flag). */
export class FlagQueue {
  private flags: Flag[] = [];

  /** Queues a flag. A blank description counts as absent (Data flags). */
  add(companyId: number, description: string | undefined): Flag {
    const text = description?.trim() ?? '';
    const flag: Flag = {
      flagId: this.flags.length + 1,
      companyId,
      ...(text === '' ? {} : { description: text }),
    };
    this.flags.push(flag);
    return flag;
  }

  list(): readonly Flag[] {
    return this.flags;
  }

  reset(): void {
    this.flags = [];
  }
}
