import type { ComponentChildren } from "preact";
import { useErrorBoundary } from "preact/hooks";
import { Failure } from "./load-data.tsx";

/** Shows that a page failed to render, in its place. The menu and the Save bar stay. */
export function ErrorBoundary({ children }: { readonly children: ComponentChildren }) {
	const [error, retry] = useErrorBoundary((cause) => reportError(cause)) as [unknown, () => void];
	return error === undefined ? <>{children}</> : <Failure error={error} retry={retry} />;
}
