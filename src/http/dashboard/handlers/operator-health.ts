import type { Handlers } from "../api-request.ts";

export const operatorHealthHandlers: Handlers<"operatorHealth" | "operatorChecks"> = {
	operatorHealth: async (_request, { operator }) => await operator.health(),

	async operatorChecks({ reader }, { operator }) {
		const checked = await operator.runChecks();
		const problems = checked.checks.flatMap(({ results }) => results).filter(({ grade }) => grade === "fix");
		reader.logger.info({ userId: reader.userId, problems: problems.length }, "checks run");
		return checked;
	},
};
