/** Answers of Discord's bad days, planted by somebody who wants to see what the bot makes of them. */

/** One way in which requests go wrong. */
export interface PlantedFault {
	/** As in the table of routes, such as `PATCH /webhooks/:application/:token/messages/:message`; absent: every route. */
	readonly route?: string | undefined;
	/** How many requests it meets; absent: all, until it is taken away. */
	readonly times?: number | undefined;
	/** Whether the request is carried out all the same, so that only its answer is lost. */
	readonly acts?: boolean | undefined;
	/** Milliseconds on the playground's clock before anything else happens. */
	readonly delayMs?: number | undefined;
	/** Absent: the request is answered as always, if late. */
	readonly answer?: FaultAnswer | undefined;
}

export type FaultAnswer =
	| { readonly kind: "hangUp" }
	/** A success whose body is not what the route answers: empty, another shape, or a page of a proxy. */
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

export interface PlantedFaults {
	readonly plant: (fault: PlantedFault) => void;
	readonly clear: () => void;
	/** What meets this request; counted as met. */
	readonly take: (route: string) => PlantedFault | undefined;
	readonly list: () => readonly PlantedFault[];
}

export function createPlantedFaults(): PlantedFaults {
	const planted: { readonly fault: PlantedFault; left: number }[] = [];
	return {
		plant: (fault) => void planted.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }),
		clear: () => void planted.splice(0),
		take(route) {
			const found = planted.find(({ fault, left }) => left > 0 && (fault.route ?? route) === route);
			if (!found) return undefined;
			found.left--;
			return found.fault;
		},
		list: () => planted.filter(({ left }) => left > 0).map(({ fault }) => fault),
	};
}
