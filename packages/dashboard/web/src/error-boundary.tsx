import type { ComponentChildren } from "preact";
import { useEffect, useErrorBoundary } from "preact/hooks";
import { PageHead } from "./card.tsx";
import { Failure } from "./load-data.tsx";

interface ErrorBoundaryProps {
	/** The heading of the page if it fails. */
	readonly title: string;
	readonly children: ComponentChildren;
}

/** Shows that a page failed to render, in its place. The menu and the Save bar stay. */
export function ErrorBoundary({ title, children }: ErrorBoundaryProps) {
	const [error, retry] = useErrorBoundary((cause) => reportError(cause)) as [unknown, () => void];
	useEffect(() => {
		// The element with the focus may be gone with the page.
		if (error !== undefined && document.activeElement === document.body)
			document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
	}, [error]);
	if (error === undefined) return <>{children}</>;
	return (
		<>
			<PageHead title={title} />
			<Failure error={error} retry={retry} />
		</>
	);
}
