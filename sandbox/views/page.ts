import type { z } from 'zod/v4';
import type { pagination } from '../schemas/common';

export interface PageRequest {
  readonly page: number;
  readonly limit: number;
}

/** One page of rows, with its pagination object from the API spec. */
export interface Page<T> {
  readonly rows: T[];
  readonly pagination: z.output<typeof pagination>;
}

/**
 * Returns one page of all rows (Conventions, 4).
 *
 * @param urlOf returns the absolute URL of another page of the same request
 */
export function pageOf<T>(
  all: ArrayLike<T>,
  { page, limit }: PageRequest,
  urlOf: (page: number) => string,
): Page<T> {
  const total = all.length;
  const start = (page - 1) * limit;
  const pages = Math.ceil(total / limit);
  const rows: T[] = [];
  for (let index = start; index < Math.min(start + limit, total); index += 1) {
    rows.push(all[index] as T);
  }
  const hasNext = page < pages;
  return {
    rows,
    pagination: {
      page,
      limit,
      total_results: total,
      total_pages: pages,
      has_next: hasNext,
      has_prev: page > 1,
      ...(hasNext ? { next_url: urlOf(page + 1) } : {}),
    },
  };
}
