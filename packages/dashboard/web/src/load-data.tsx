/** Reads data for a component, and shows while it loads and when it fails. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useApp } from "./app-context.ts";
import { Icon } from "./icon.tsx";
import { useKeptFocus } from "./keep-focus.ts";
import { MentionText } from "./mention-text.tsx";
import { useAction } from "./use-action.ts";

/** The grey lines before the first response. */
const SKELETON_LINES = 6;

export type Resource<Value> = ReturnType<typeof useResource<Value>>;
type ReadState<Value> = Pick<Resource<Value>, "value" | "error" | "isLoading" | "reload">;

/** Reads again when a dependency changes, and when the reader returns to the tab. Drops a response that a newer value has overtaken. */
export function useResource<Value>(read: () => Promise<Value>, dependencies: readonly unknown[]) {
	const { tabReturns } = useApp();
	const value = useSignal<Value | null>(null);
	const error = useSignal<unknown>(null);
	const isLoading = useSignal(true);
	const attempt = useSignal(0);
	/** Raised by each read, by set and by the cleanup: a response of an older generation is dropped. */
	const generation = useRef(0);
	const isQuiet = useRef(false);
	const set = (changed: Value): void => {
		generation.current++;
		value.value = changed;
		error.value = null;
		isLoading.value = false;
	};
	useEffect(() => {
		const ownGeneration = ++generation.current;
		if (!isQuiet.current) {
			isLoading.value = true;
			error.value = null;
		}
		isQuiet.current = false;
		const run = async (): Promise<void> => {
			try {
				const answer = await read();
				if (ownGeneration === generation.current) set(answer);
			} catch (cause) {
				if (ownGeneration !== generation.current) return;
				error.value = cause;
				isLoading.value = false;
			}
		};
		void run();
		return () => void generation.current++;
	}, [...dependencies, attempt.value, tabReturns.value]);
	return {
		/** The last value; it stays while the next value is read. */
		value: value.value,
		error: error.value,
		isLoading: isLoading.value,
		reload: (): void => void (attempt.value += 1),
		/** Reads again without showing that, and keeps an error until the response. */
		reloadQuietly: (): void => {
			isQuiet.current = true;
			attempt.value += 1;
		},
		set,
	};
}

/** Reads again, without showing that, this long after each response. `null`: not now. */
export function useReadEvery(
	{ value, error, reloadQuietly }: Pick<Resource<unknown>, "value" | "error" | "reloadQuietly">,
	delayMs: number | null,
): void {
	useEffect(() => {
		if (delayMs === null) return undefined;
		// A hidden page reads again when the reader returns to it.
		const readIfVisible = (): void => {
			if (document.visibilityState === "visible") reloadQuietly();
		};
		const timer = setTimeout(readIfVisible, delayMs);
		return () => clearTimeout(timer);
	}, [value, error, delayMs]);
}

interface Page<Item, Position> {
	readonly items: readonly Item[];
	readonly next: Position | null;
}

/**
 * A list that is read page by page. `read` gets the position of a page; `undefined` for the first one. `reload` reads all shown pages
 * again; `loadMore` only the next one, unless the last read failed. A quiet reload reads the pages up to the last one with an item for
 * which `mayChange` is true, and those whose position has changed.
 */
export function usePages<Item, Position, Read extends Page<Item, Position>>(
	read: (position?: Position) => Promise<Read & Page<Item, Position>>,
	dependencies: readonly unknown[],
	mayChange: (item: Item) => boolean = () => true,
) {
	const pageCount = useRef(1);
	/** The number of shown pages that the next read does not keep. */
	const staleCount = useRef(Infinity);
	// Must precede useResource: effects run in order, and its effect reads these counts.
	useEffect(() => {
		pageCount.current = 1;
		staleCount.current = Infinity;
	}, dependencies);
	const readPages = async (): Promise<readonly Read[]> => {
		const stale = staleCount.current;
		staleCount.current = Infinity;
		const shown = pages.value ?? [];
		const current: Read[] = [];
		while (current.length < pageCount.current) {
			const at = current.length;
			const position = current.at(-1)?.next;
			if (position === null) break;
			const isKept = at >= stale && shown[at - 1]?.next === position;
			current.push((isKept && shown[at]) || (await read(position)));
		}
		return current;
	};
	const pages = useResource(readPages, dependencies);
	const { error, isLoading, reload } = pages;
	const value = useMemo(() => {
		const last = pages.value?.at(-1);
		return last ? { ...last, items: pages.value?.flatMap(({ items }) => items) ?? [] } : null;
	}, [pages.value]);
	return {
		value,
		error,
		isLoading,
		reload,
		reloadQuietly: (): void => {
			staleCount.current = (pages.value?.findLastIndex(({ items }) => items.some(mayChange)) ?? -1) + 1;
			pages.reloadQuietly();
		},
		loadMore: (): void => {
			if (isLoading) return;
			// After a failed read, the shown pages may be those of another filter.
			if (error === null) {
				pageCount.current = (pages.value?.length ?? 0) + 1;
				staleCount.current = 0;
			}
			reload();
		},
	};
}

interface LoadedProps<Value> {
	readonly resource: ReadState<Value>;
	readonly children: (value: Value) => ComponentChildren;
}

export function Loaded<Value>({ resource, children }: LoadedProps<Value>) {
	const { value, error, isLoading, reload } = resource;
	const part = useRef<HTMLDivElement>(null);
	// A button may go with its row.
	useKeptFocus(part, (element) => element.focus({ preventScroll: true }));
	return (
		<div ref={part} class="loaded" tabIndex={-1} aria-busy={value !== null && isLoading}>
			{error !== null && <Failure error={error} retry={reload} />}
			{value !== null ? children(value) : error === null && <Skeleton />}
		</div>
	);
}

export function Skeleton() {
	const { t } = useApp();
	return (
		<div class="skeleton">
			<p class="sr-only" role="status">
				{t("dashboard.loading")}
			</p>
			{Array.from({ length: SKELETON_LINES }, (_, line) => (
				<div key={line} class="skeleton-line" />
			))}
		</div>
	);
}

export function Failure({ error, retry }: { readonly error: unknown; readonly retry: () => Promise<void> | void }) {
	const { t, errorText } = useApp();
	const { isBusy, run } = useAction();
	return (
		<div class="callout danger" role="alert">
			<Icon name="alert" />
			<p>
				<MentionText text={errorText(error)} />
			</p>
			<button
				type="button"
				class="button"
				aria-disabled={isBusy.value}
				onClick={() => void (isBusy.value || run(retry))}
			>
				{t("dashboard.retry")}
			</button>
		</div>
	);
}

interface PagedListProps<Item> {
	readonly pages: ReadState<Page<Item, unknown>> & { readonly loadMore: () => void };
	/** Shown instead of an empty list. */
	readonly empty: string;
	readonly children: (items: readonly Item[]) => ComponentChildren;
}

/** The pages that were read so far, and a button that reads the next one. */
export function PagedList<Item>({ pages, empty, children }: PagedListProps<Item>) {
	const { t } = useApp();
	return (
		<Loaded resource={pages}>
			{({ items, next }) => (
				<>
					{items.length > 0 ? children(items) : <p class="empty">{next === null ? empty : t("dashboard.noneSoFar")}</p>}
					{next !== null && (
						<button type="button" class="button more" aria-disabled={pages.isLoading} onClick={pages.loadMore}>
							{t("dashboard.loadMore")}
						</button>
					)}
				</>
			)}
		</Loaded>
	);
}
