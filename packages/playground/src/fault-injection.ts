/** Injected faults: responses and lost or repeated events that a bot author wants to test. */
/** A fault for matching requests. */
export interface InjectedFault {
	/**
	 * A route of the route table, such as `PATCH /webhooks/:application/:token/messages/:message`; every route if
	 * absent.
	 */
	readonly route?: string | undefined;
	/** The number of affected requests; unlimited if absent. */
	readonly times?: number | undefined;
	/** Whether the request is executed and only its response is lost. */
	readonly acts?: boolean | undefined;
	/** A delay in milliseconds on the playground's clock. */
	readonly delayMs?: number | undefined;
	/** If absent, the regular response is sent, after the delay. */
	readonly answer?: FaultAnswer | undefined;
}

export type FaultAnswer =
	| { readonly kind: "hangUp" }
	/** A success with another body than the route's: empty, another shape, or a proxy's page. */
	| {
			readonly kind: "body";
			readonly text: string;
			readonly status?: 200 | 204 | undefined;
			readonly contentType?: "application/json" | "text/html" | undefined;
	  }
	| { readonly kind: "error"; readonly status: number; readonly code: number; readonly message?: string | undefined }
	| {
			readonly kind: "rateLimit";
			readonly retryAfterS: number;
			readonly scope?: "user" | "global" | "shared" | undefined;
	  };

export interface InjectedFaults {
	readonly inject: (fault: InjectedFault) => void;
	readonly clear: () => void;
	/** Returns the fault for a request, and counts it. */
	readonly take: (route: string) => InjectedFault | undefined;
	readonly list: () => readonly InjectedFault[];
}

export function createInjectedFaults(): InjectedFaults {
	const injected: { readonly fault: InjectedFault; left: number }[] = [];
	return {
		inject: (fault) => void injected.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }),
		clear: () => void injected.splice(0),
		take(route) {
			const found = injected.find(({ fault, left }) => left > 0 && (fault.route ?? route) === route);
			if (!found) return undefined;
			found.left--;
			return found.fault;
		},
		list: () => injected.filter(({ left }) => left > 0).map(({ fault }) => fault),
	};
}

export interface InjectedEvent {
	readonly act: "drop" | "repeat";
	/** Such as `INTERACTION_CREATE`; all events if absent. */
	readonly event?: string | undefined;
	/** The number of affected events; unlimited if absent. */
	readonly times?: number | undefined;
}

export interface InjectedEvents {
	readonly inject: (injected: InjectedEvent) => void;
	readonly clear: () => void;
	/** Returns how often to send this event, and counts it. */
	readonly take: (event: string) => 0 | 1 | 2;
	readonly list: () => readonly InjectedEvent[];
}

export function createInjectedEvents(): InjectedEvents {
	const all: { readonly injected: InjectedEvent; left: number }[] = [];
	return {
		inject: (injected) => void all.push({ injected, left: injected.times ?? Number.POSITIVE_INFINITY }),
		clear: () => void all.splice(0),
		take(event) {
			const found = all.find(({ injected, left }) => left > 0 && (injected.event ?? event) === event);
			if (!found) return 1;
			found.left--;
			return found.injected.act === "drop" ? 0 : 2;
		},
		list: () => all.filter(({ left }) => left > 0).map(({ injected }) => injected),
	};
}
