import type { Account } from '../accounts';
import { errors, ServiceError } from '../errors';
import type { Materialization } from './materialize';
import { REGISTRY_VERSION } from './catalogue';
import type { Definition, FilterNode } from './tree';

export type Grant = 'viewer' | 'editor';
/** The owner's level has no word in the interface. */
export type AccessLevel = Grant | 'owner';

export interface Permission {
  readonly id: number;
  /** Null for everyone in the organization. */
  readonly userId: string | null;
  level: Grant;
  readonly grantedAt: number;
}

export interface SavedDefinition {
  readonly version: number;
  readonly registry_version: string;
  readonly root: FilterNode | null;
  readonly savedAt: number;
  readonly savedBy: string;
}

export interface List {
  readonly id: string;
  readonly organizationId: string;
  ownerId: string;
  name: string;
  readonly createdAt: number;
  updatedAt: number;
  /** All versions, oldest first; the last one counts. */
  readonly definitions: SavedDefinition[];
  readonly permissions: Permission[];
  /** Ids of companies added and excluded by hand. */
  readonly added: Set<number>;
  readonly excluded: Set<number>;
  /** Null when the next read must compute it. */
  cache: Materialization | null;
  readonly audit: Array<{ at: number; userId: string; action: string }>;
}

/** The user behind a user key. */
export interface ListUser {
  readonly id: string;
  readonly organizationId: string;
}

/** The user of a user key; the pipeline lets no other key reach list endpoints. */
export function userOf(account: Account): ListUser {
  if (account.userId === null) throw errors.userCredentialRequired();
  return { id: account.userId, organizationId: account.organizationId };
}

const RANKS: Readonly<Record<AccessLevel, number>> = { viewer: 1, editor: 2, owner: 3 };

/** Saved lists and who may do what with them (Authentication, rule 5). */
export class ListStore {
  private readonly lists = new Map<string, List>();
  private nextList = 1;
  private nextPermission = 1;

  /** Creates a list owned by the user; without a definition it is empty, at version 1. */
  create(user: ListUser, name: string, definition: Definition | undefined, now: number): List {
    const list: List = {
      id: `lst_${String(this.nextList++).padStart(6, '0')}`,
      organizationId: user.organizationId,
      ownerId: user.id,
      name,
      createdAt: now,
      updatedAt: now,
      definitions: [],
      permissions: [],
      added: new Set(),
      excluded: new Set(),
      cache: null,
      audit: [],
    };
    this.lists.set(list.id, list);
    append(list, user, definition ?? { registry_version: REGISTRY_VERSION, root: null }, now);
    note(list, user, 'created', now);
    return list;
  }

  /** Lists the user can see, with the user's level. */
  visibleTo(user: ListUser): Array<{ list: List; level: AccessLevel }> {
    return [...this.lists.values()].flatMap((list) => {
      const level = levelOf(list, user);
      return level === null ? [] : [{ list, level }];
    });
  }

  /**
   * A list the user may act on.
   *
   * @param needed the least level
   * @throws 404 when it does not exist or the user cannot see it: the same answer for both
   * @throws 403 `insufficient_access` when the user sees it but may not do this
   */
  require(id: string, user: ListUser, needed: AccessLevel): { list: List; level: AccessLevel } {
    const list = this.lists.get(id);
    const level = list === undefined ? null : levelOf(list, user);
    if (list === undefined || level === null) {
      throw errors.notFound('list_not_found', 'There is no such list.');
    }
    if (RANKS[level] < RANKS[needed]) {
      throw new ServiceError(
        403,
        'insufficient_access',
        `This needs access level ${needed}; you have ${level}.`,
      );
    }
    return { list, level };
  }

  delete(list: List): void {
    this.lists.delete(list.id);
  }

  /** Grants access; a second grant to the same one changes the level of the first. */
  grant(list: List, userId: string | null, level: Grant, now: number): Permission {
    const existing = list.permissions.find((permission) => permission.userId === userId);
    if (existing !== undefined) {
      existing.level = level;
      return existing;
    }
    const permission = { id: this.nextPermission++, userId, level, grantedAt: now };
    list.permissions.push(permission);
    return permission;
  }

  reset(): void {
    this.lists.clear();
    this.nextList = 1;
    this.nextPermission = 1;
  }
}

/** The definition that counts. */
export function activeDefinition(list: List): SavedDefinition {
  return list.definitions.at(-1)!;
}

/** Appends a definition version and invalidates the cached members (States). */
export function append(list: List, user: ListUser, definition: Definition, now: number): void {
  list.definitions.push({
    version: list.definitions.length + 1,
    registry_version: definition.registry_version,
    root: definition.root,
    savedAt: now,
    savedBy: user.id,
  });
  list.cache = null;
}

/** Adds to the list's audit log. */
export function note(list: List, user: ListUser, action: string, now: number): void {
  list.updatedAt = now;
  list.audit.push({ at: now, userId: user.id, action });
}

function levelOf(list: List, user: ListUser): AccessLevel | null {
  if (list.organizationId !== user.organizationId) return null;
  if (list.ownerId === user.id) return 'owner';
  const granted = list.permissions.filter(
    (permission) => permission.userId === null || permission.userId === user.id,
  );
  if (granted.some((permission) => permission.level === 'editor')) return 'editor';
  return granted.length > 0 ? 'viewer' : null;
}
