/** Reads data for a component, and shows while it loads and when it fails. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useApp } from "./app-context.ts";
import { Icon } from "./icon.tsx";

export interface Resource<Value> {
	/** The last value; it stays while the next value is read. */
	readonly value: Value | null;
	readonly error: unknown;
	readonly isLoading: boolean;
	readonly reload: () => void;
	readonly set: (value: Value) => void;
	/** Replaces a value, unless another one was read meanwhile. */
	readonly replace: (before: Value, after: Value) => void;
}

/** Reads again when a dependency changes. Responses that come too late are dropped. */
export function useResource<Value>(read: () => Promise<Value>, dependencies: readonly unknown[]): Resource<Value> {
	const value = useSignal<Value | null>(null);
	const error = useSignal<unknown>(null);
	const isLoading = useSignal(true);
	const attempt = useSignal(0);
	useEffect(() => {
		let isCurrent = true;
		isLoading.value = true;
		error.value = null;
		const run = async (): Promise<void> => {
			try {
				const answer = await read();
				if (isCurrent) value.value = answer;
			} catch (cause) {
				if (isCurrent) error.value = cause;
			}
			if (isCurrent) isLoading.value = false;
		};
		void run();
		return () => {
			isCurrent = false;
		};
	}, [...dependencies, attempt.value]);
	return {
		value: value.value,
		error: error.value,
		isLoading: isLoading.value,
		reload: () => (attempt.value += 1),
		set: (changed) => (value.value = changed),
		replace: (before, after) => {
			if (value.value === before) value.value = after;
		},
	};
}

interface Page<Item, Position> {
	readonly items: readonly Item[];
	/** The position of the next page; `null` at the end. */
	readonly next: Position | null;
}

interface PagesResource<Item> extends Omit<Resource<Page<Item, unknown>>, "set" | "replace"> {
	readonly isLoadingMore: boolean;
	readonly loadMore: () => void;
}

/** A list that is read page by page. `read` gets the position of a page; `undefined` for the first one. */
export function usePages<Item, Position>(
	read: (position: Position | undefined) => Promise<Page<Item, Position>>,
	dependencies: readonly unknown[],
) {
	const { notify, errorText } = useApp();
	const isLoadingMore = useSignal(false);
	const first = useResource(() => read(undefined), dependencies);
	const loadMore = async (): Promise<void> => {
		const before = first.value;
		const position = before?.next ?? undefined;
		if (!before || position === undefined) return;
		isLoadingMore.value = true;
		try {
			const { items, next } = await read(position);
			first.replace(before, { items: [...before.items, ...items], next });
		} catch (error) {
			notify(errorText(error), true);
		} finally {
			isLoadingMore.value = false;
		}
	};
	return { ...first, isLoadingMore: isLoadingMore.value, loadMore: () => void loadMore() };
}

interface LoadedProps<Value> {
	readonly resource: Omit<Resource<Value>, "set" | "replace">;
	/** The number of grey lines before the first response. */
	readonly lines?: number;
	readonly children: (value: Value) => ComponentChildren;
}

export function Loaded<Value>({ resource, lines = 4, children }: LoadedProps<Value>) {
	const { value, error, isLoading, reload } = resource;
	if (value !== null)
		return (
			<div class="loaded" aria-busy={isLoading}>
				{error !== null && <Failure error={error} retry={reload} />}
				{children(value)}
			</div>
		);
	return error === null ? <Skeleton lines={lines} /> : <Failure error={error} retry={reload} />;
}

export function Skeleton({ lines }: { readonly lines: number }) {
	const { t } = useApp();
	return (
		<div class="skeleton">
			<p class="sr-only" role="status">
				{t("dashboard.loading")}
			</p>
			{Array.from({ length: lines }, (_, line) => (
				<div key={line} class="skeleton-line" />
			))}
		</div>
	);
}

export function Failure({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
	const { t, errorText } = useApp();
	return (
		<div class="callout danger" role="alert">
			<Icon name="alert" />
			<p>{errorText(error)}</p>
			<button type="button" class="button" onClick={retry}>
				{t("dashboard.retry")}
			</button>
		</div>
	);
}

interface PagedListProps<Item> {
	readonly pages: PagesResource<Item>;
	readonly lines?: number;
	/** Shown instead of an empty list. */
	readonly empty: string;
	readonly children: (items: readonly Item[]) => ComponentChildren;
}

/** The pages that were read so far, and a button that reads the next one. */
export function PagedList<Item>({ pages, lines = 4, empty, children }: PagedListProps<Item>) {
	const { t } = useApp();
	return (
		<>
			<Loaded resource={pages} lines={lines}>
				{({ items }) => (items.length === 0 ? <p class="empty">{empty}</p> : children(items))}
			</Loaded>
			{(pages.value?.next ?? null) !== null && (
				<button type="button" class="button more" disabled={pages.isLoadingMore} onClick={pages.loadMore}>
					{t("dashboard.loadMore")}
				</button>
			)}
		</>
	);
}

/** Runs an action of a form: `isBusy` meanwhile, and the error of the last run, `null` after a success. */
export function useAction() {
	const isBusy = useSignal(false);
	const error = useSignal<unknown>(null);
	const run = async (action: () => Promise<void>): Promise<void> => {
		isBusy.value = true;
		error.value = null;
		try {
			await action();
		} catch (cause) {
			error.value = cause;
		} finally {
			isBusy.value = false;
		}
	};
	return { isBusy, error, run };
}
