/** The keys of all messages, and their parameters. Written by npm run messages, from locales/en.json. */

/** Messages without parameters. */
// oxfmt-ignore
export type PlainKey =
	| "mediaType.images"
	| "mediaType.videos"
	| "mediaType.songs"
	| "result.canceledTooLate"
	| "result.nothingCharged"
	| "result.promptBlocked"
	| "result.originalDelivered"
	| "result.comesLaterHere"
	| "result.comesLaterDirectly"
	| "result.endedPrivately"
	| "change.compressed"
	| "change.still"
	| "change.standardColors"
	| "change.frame"
	| "limit.memberNone"
	| "limit.serverNone"
	| "limit.tooManyJobs"
	| "permission.manage"
	| "permission.moderate"
	| "permission.grant"
	| "permission.othersHistory"
	| "permission.serverOnly"
	| "permission.othersResult"
	| "permission.othersConfirmation"
	| "permission.othersJob"
	| "request.promptEmpty"
	| "request.youTyped"
	| "request.maskNeedsOneImage"
	| "request.notAnImage"
	| "request.noImageInMessage"
	| "request.imageGone"
	| "request.upscaleNone"
	| "request.sourceGone"
	| "request.noRoute"
	| "request.confirmationGone"
	| "request.declined"
	| "request.improverDown"
	| "request.improverUnusable"
	| "request.improverOff"
	| "request.answeredPrivately"
	| "request.unknownButton"
	| "service.down"
	| "service.busy"
	| "service.pausedAfterRestore"
	| "service.invalidAnswer"
	| "service.contentPolicy"
	| "service.ownerMustAct"
	| "service.modelUnavailable"
	| "service.failed"
	| "service.nothingMade"
	| "service.timedOut"
	| "service.notSent"
	| "service.resultLost"
	| "service.diskFull"
	| "service.resultOutOfBounds"
	| "service.resultUnknownType"
	| "service.resultDamaged"
	| "service.outcomeUnknown"
	| "service.canceledByMember"
	| "service.canceledByOwner"
	| "service.canceledByService"
	| "error.discordUnavailable"
	| "error.messageGone"
	| "progress.serviceProblems"
	| "progress.busy"
	| "progress.diskFull"
	| "progress.pingNoted"
	| "progress.pingTooLate"
	| "job.creditsNone"
	| "job.empty"
	| "gallery.headMine"
	| "gallery.headServer"
	| "gallery.headFavorites"
	| "gallery.emptyMine"
	| "gallery.emptyServer"
	| "gallery.emptyFavorites"
	| "favorite.added"
	| "favorite.removed"
	| "job.notFound"
	| "job.notDone"
	| "job.nothingMade"
	| "job.filesRejected"
	| "job.filesLater"
	| "job.filesGone"
	| "state.waiting"
	| "state.in_progress"
	| "state.unconfirmed"
	| "state.canceling"
	| "state.succeeded"
	| "state.canceled"
	| "state.failed"
	| "cancel.requested"
	| "cancel.done"
	| "cancel.notNeeded"
	| "command.image"
	| "command.video"
	| "command.music"
	| "command.help"
	| "command.credits"
	| "command.creditsShow"
	| "command.creditsHistory"
	| "command.balance"
	| "command.creditsGrant"
	| "command.creditsRevoke"
	| "command.settings"
	| "command.settingsShow"
	| "command.settingsMedia"
	| "command.settingsModel"
	| "command.settingsChannel"
	| "command.settingsDefaults"
	| "command.settingsRole"
	| "command.settingsGeneral"
	| "command.settingsShowcase"
	| "command.settingsPause"
	| "command.settingsSafety"
	| "command.settingsAudit"
	| "command.settingsExport"
	| "command.settingsImport"
	| "command.quota"
	| "command.quotaShow"
	| "command.quotaServer"
	| "command.quotaRole"
	| "command.quotaMember"
	| "command.quotaMediaType"
	| "command.usage"
	| "command.job"
	| "command.jobList"
	| "command.gallery"
	| "command.galleryMine"
	| "command.galleryServer"
	| "command.galleryFavorites"
	| "command.jobShow"
	| "command.jobGet"
	| "command.jobCancel"
	| "command.block"
	| "command.unblock"
	| "command.blocks"
	| "command.filter"
	| "command.filterAdd"
	| "command.filterRemove"
	| "command.filterList"
	| "command.filterTest"
	| "command.style"
	| "command.styleList"
	| "command.styleAdd"
	| "command.styleRemove"
	| "command.privacy"
	| "command.privacyExport"
	| "command.privacyDelete"
	| "command.setup"
	| "option.prompt"
	| "option.negativePrompt"
	| "option.model"
	| "option.aspectRatio"
	| "option.resolution"
	| "option.duration"
	| "option.seed"
	| "option.count"
	| "option.lyrics"
	| "option.instrumental"
	| "option.image"
	| "option.furtherImage"
	| "option.mask"
	| "option.style"
	| "option.improve"
	| "option.private"
	| "option.job"
	| "option.jobMember"
	| "option.historyMember"
	| "option.historyBefore"
	| "option.historyCsv"
	| "option.amount"
	| "option.reason"
	| "option.quotaRole"
	| "option.quotaMember"
	| "option.quotaMediaType"
	| "option.quotaUnlimited"
	| "option.quotaClear"
	| "option.quotaPer"
	| "option.quotaUnused"
	| "option.quotaTimeZone"
	| "option.quotaWarnChannel"
	| "option.quotaNoWarnings"
	| "option.usageDays"
	| "option.spoiler"
	| "option.privateDefault"
	| "option.images"
	| "option.videos"
	| "option.songs"
	| "option.modelToSwitch"
	| "option.on"
	| "option.ruleChannel"
	| "option.defaultsChannel"
	| "option.defaultModel"
	| "option.defaultStyle"
	| "option.threads"
	| "option.clearDefaults"
	| "option.ruleRole"
	| "option.rule"
	| "option.language"
	| "option.confirmAbove"
	| "option.pings"
	| "option.logChannel"
	| "option.reportChannel"
	| "option.showcaseChannel"
	| "option.showcaseStars"
	| "option.promptInFiles"
	| "option.improvePrompts"
	| "option.reset"
	| "option.pauseOn"
	| "option.pauseMessage"
	| "option.categoryRule"
	| "option.importFile"
	| "option.blockMember"
	| "option.unblockMember"
	| "option.blockReason"
	| "option.blockDays"
	| "option.blockHours"
	| "option.pattern"
	| "option.patternToRemove"
	| "option.filterText"
	| "option.styleName"
	| "option.styleText"
	| "option.styleMediaType"
	| "option.styleToRemove"
	| "choice.day"
	| "choice.week"
	| "choice.month"
	| "choice.expire"
	| "choice.carryOver"
	| "choice.days7"
	| "choice.days30"
	| "choice.days90"
	| "choice.allow"
	| "choice.deny"
	| "choice.clear"
	| "choice.noStyle"
	| "choice.resultInReply"
	| "choice.resultInThread"
	| "choice.degraded"
	| "choice.down"
	| "choice.yes"
	| "choice.no"
	| "pingRule.ask"
	| "pingRule.always"
	| "pingRule.never"
	| "visibility.server"
	| "visibility.private"
	| "visibility.public"
	| "categoryRule.withhold"
	| "categoryRule.spoiler"
	| "categoryRule.ageRestricted"
	| "menu.animate"
	| "menu.variations"
	| "menu.saveStyle"
	| "menu.report"
	| "button.regenerate"
	| "button.vary"
	| "button.edit"
	| "button.improve"
	| "button.useImproved"
	| "button.useOwn"
	| "button.editPrompt"
	| "button.showLimits"
	| "button.showHelp"
	| "button.helpOverview"
	| "button.guidePrompts"
	| "button.guideResults"
	| "button.guideAdmins"
	| "button.useAsInput"
	| "button.delete"
	| "button.cancel"
	| "button.ping"
	| "button.withheldShow"
	| "button.withheldDiscard"
	| "button.redeem"
	| "button.deleteData"
	| "button.setupBack"
	| "button.setupNext"
	| "button.setupRestart"
	| "button.open"
	| "button.favorite"
	| "button.unfavorite"
	| "button.show"
	| "button.change"
	| "button.previousPage"
	| "button.nextPage"
	| "form.more"
	| "form.settingTitle"
	| "form.channelPlaceholder"
	| "form.visibility"
	| "form.defaultModelsHint"
	| "form.pauseMessageHint"
	| "form.limitHint"
	| "form.timeZoneHint"
	| "form.deleteTitle"
	| "result.deleteQuestion"
	| "form.editTitle"
	| "form.improvedTitle"
	| "form.inputTitle"
	| "form.moreImages"
	| "form.moreImagesHint"
	| "form.prompt"
	| "form.aspectRatio"
	| "form.seed"
	| "form.lyrics"
	| "form.seedHint"
	| "form.styleNameLabel"
	| "form.styleNameHint"
	| "form.styleWordsLabel"
	| "form.styleWordsHint"
	| "form.reportTitle"
	| "form.reportReasonLabel"
	| "form.reportReasonHint"
	| "form.confirmAboveHint"
	| "credits.mineUnlimited"
	| "credits.mineWithin"
	| "credits.changeDiffers"
	| "credits.changeUncertain"
	| "credits.amountTooLarge"
	| "credits.tooManyExpiring"
	| "credits.topUpNothing"
	| "history.mine"
	| "history.server"
	| "history.empty"
	| "history.byOwner"
	| "history.bySystem"
	| "quota.serverUnlimited"
	| "quota.everyoneUnlimited"
	| "quota.mediaUnlimited"
	| "quota.warningsOff"
	| "quota.fileNote"
	| "quota.fileRoles"
	| "quota.fileMembers"
	| "quota.nothingToChange"
	| "quota.limitChoices"
	| "quota.serverLimitChoices"
	| "quota.mediaTypeChoices"
	| "quota.warningChoices"
	| "quota.periodWithoutLimit"
	| "quota.periodForEveryone"
	| "quota.everyoneRole"
	| "usage.chartTitle"
	| "help.prices"
	| "help.results"
	| "help.cancel"
	| "help.guidePrompts"
	| "help.guideResults"
	| "help.guideAdmins"
	| "access.channelDenied"
	| "access.promptAgeRestricted"
	| "access.moderationDown"
	| "settings.paused"
	| "settings.running"
	| "settings.mediaNone"
	| "settings.modelsAll"
	| "settings.safety"
	| "settings.moderationMissing"
	| "settings.improverMissing"
	| "settings.pageAccess"
	| "settings.pageResults"
	| "settings.pageServer"
	| "settings.pageChannels"
	| "settings.channelsLead"
	| "settings.channelThreads"
	| "settings.oneModelPerMediaType"
	| "settings.seeLimits"
	| "settings.everyoneRole"
	| "settings.changedMeanwhile"
	| "settings.logChannelHello"
	| "settings.reportChannelHello"
	| "settings.showcaseHello"
	| "settings.warnChannelHello"
	| "settings.showcaseNoChannel"
	| "settings.valueOrReset"
	| "settings.exported"
	| "settings.imported"
	| "settings.importNotJson"
	| "settings.importUnreadable"
	| "audit.head"
	| "audit.empty"
	| "audit.on"
	| "audit.off"
	| "audit.noChannel"
	| "audit.never"
	| "audit.serverLanguage"
	| "audit.none"
	| "audit.blockedForever"
	| "audit.changedValue"
	| "field.timeZone"
	| "field.unusedCredits"
	| "field.period"
	| "field.memberLimit"
	| "field.serverLimit"
	| "field.warnChannel"
	| "field.spoiler"
	| "field.private"
	| "field.pings"
	| "field.defaultModels"
	| "field.defaultStyle"
	| "field.threads"
	| "field.paused"
	| "field.channelsAllowed"
	| "field.channelsDenied"
	| "field.rolesAllowed"
	| "field.rolesDenied"
	| "field.mediaOff"
	| "field.modelsOff"
	| "field.patterns"
	| "field.confirmAbove"
	| "field.logChannel"
	| "field.reportChannel"
	| "field.apiKeys"
	| "field.showcaseChannel"
	| "field.showcaseStars"
	| "field.promptInFiles"
	| "field.improvePrompts"
	| "field.language"
	| "field.other"
	| "block.own"
	| "block.self"
	| "block.untilInvalid"
	| "block.reasonEmpty"
	| "block.empty"
	| "filter.patternEmpty"
	| "filter.patternUnknown"
	| "filter.empty"
	| "filter.passed"
	| "style.empty"
	| "style.listEmpty"
	| "style.head"
	| "style.notOurs"
	| "style.mediaTypeNeeded"
	| "report.thanks"
	| "report.notOurs"
	| "report.off"
	| "report.channelClosed"
	| "report.empty"
	| "report.already"
	| "report.byMany"
	| "withheld.decided"
	| "category.sexual"
	| "category.violence"
	| "category.selfHarm"
	| "category.other"
	| "report.nothingToDelete"
	| "report.blockReason"
	| "report.nothingCharged"
	| "report.refundedBefore"
	| "setup.saved"
	| "setup.further"
	| "privacy.deleted"
	| "privacy.resultDeleted"
	| "name.image"
	| "name.image2"
	| "name.image3"
	| "name.mask"
	| "name.video"
	| "name.music"
	| "name.job"
	| "name.gallery"
	| "name.mine"
	| "name.favorites"
	| "name.credits"
	| "name.balance"
	| "name.quota"
	| "name.usage"
	| "name.settings"
	| "name.setup"
	| "name.help"
	| "name.list"
	| "name.show"
	| "name.get"
	| "name.cancel"
	| "name.history"
	| "name.grant"
	| "name.revoke"
	| "name.server"
	| "name.role"
	| "name.member"
	| "name.media_type"
	| "name.media"
	| "name.prompt"
	| "name.negative_prompt"
	| "name.model"
	| "name.seed"
	| "name.aspect_ratio"
	| "name.resolution"
	| "name.duration"
	| "name.lyrics"
	| "name.instrumental"
	| "name.id"
	| "name.before"
	| "name.csv"
	| "name.amount"
	| "name.reason"
	| "name.unlimited"
	| "name.clear"
	| "name.per"
	| "name.unused"
	| "name.time_zone"
	| "name.warn_channel"
	| "name.warnings_off"
	| "name.days"
	| "name.count"
	| "name.spoiler"
	| "name.style"
	| "name.improve"
	| "name.private"
	| "name.on"
	| "name.channel"
	| "name.defaults"
	| "name.threads"
	| "name.rule"
	| "name.general"
	| "name.language"
	| "name.confirm_above"
	| "name.pings"
	| "name.showcase"
	| "name.prompt_in_files"
	| "name.improve_prompts"
	| "name.stars"
	| "name.log_channel"
	| "name.report_channel"
	| "name.reset"
	| "name.pause"
	| "name.safety"
	| "name.sexual"
	| "name.violence"
	| "name.self_harm"
	| "name.other"
	| "name.message"
	| "name.audit"
	| "name.export"
	| "name.import"
	| "name.file"
	| "name.filter"
	| "name.add"
	| "name.pattern"
	| "name.remove"
	| "name.test"
	| "name.text"
	| "name.block"
	| "name.hours"
	| "name.unblock"
	| "name.blocks"
	| "name.name"
	| "name.privacy"
	| "name.delete"
	| "web.loggedOut"
	| "web.forbidden"
	| "web.notAMember"
	| "web.notAtLogin"
	| "web.forged"
	| "web.notFound"
	| "web.conflict"
	| "web.creditsUncertain"
	| "web.tooMany"
	| "web.unavailable"
	| "web.keyInvalid"
	| "web.keyForbidden"
	| "web.apiKeyNameTaken"
	| "web.operatorReadOnly"
	| "web.studioKeyInternal";

/** `Text`: the type of a value that is inserted as it is. */
// oxfmt-ignore
export interface MessageParams<Text> {
	"list.more": { count: number };
	"mediaType.title": { mediaType: "image" | "video" | "music" };
	"result.made": { details: Text; costCredits: number; money: Text | null; leftCredits: number };
	"result.partial": { generated: number; requested: number };
	"result.truncated": { generated: number; shown: number };
	"result.detailAuthor": { userId: Text };
	"result.detailSource": { action: "vary" | "upscale" | "animate" | "other"; userId: Text };
	"result.detailSeed": { seed: Text };
	"result.detailSeconds": { seconds: Text };
	"result.recordsDamaged": { details: Text; costCredits: number };
	"result.fileRejected": { costCredits: number; taskId: Text };
	"result.notConverted": { costCredits: number; taskId: Text };
	"result.directLead": { channelId: Text };
	"result.ping": { userId: Text; link: Text };
	"result.inThread": { channelId: Text };
	"result.fitted": { changes: Text };
	"result.preview": { sizeMiB: number; changes: Text; taskId: Text };
	"result.previewLinked": { sizeMiB: number; changes: Text; untilS: Text; url: Text };
	"result.link": { untilS: Text; url: Text };
	"change.smaller": { width: Text; height: Text };
	"change.fewerFrames": { framesPerSecond: Text };
	"change.beginning": { seconds: number };
	"limit.serverCredits": { refillsAtS: Text | null; costCredits: number; leftCredits: number };
	"limit.member": { leftCredits: number; limitCredits: number; per: "day" | "week" | "month"; costCredits: number; resetsAtS: Text };
	"limit.memberTooSmall": { costCredits: number; limitCredits: number; per: "day" | "week" | "month" };
	"limit.mediaType": { leftCredits: number; limitCredits: number; mediaType: "image" | "video" | "music"; per: "day" | "week" | "month"; costCredits: number; resetsAtS: Text };
	"limit.mediaTypeTooSmall": { costCredits: number; mediaType: "image" | "video" | "music"; limitCredits: number; per: "day" | "week" | "month" };
	"limit.mediaTypeNone": { mediaType: "image" | "video" | "music" };
	"limit.server": { leftCredits: number; limitCredits: number; per: "day" | "week" | "month"; costCredits: number; resetsAtS: Text };
	"limit.serverTooSmall": { costCredits: number; limitCredits: number; per: "day" | "week" | "month" };
	"request.noModel": { mediaType: "image" | "video" | "music" };
	"request.modelUnknown": { model: Text; known: Text };
	"request.imageNeeded": { model: Text };
	"request.tooManyImages": { model: Text; imagesMax: number };
	"request.maskSize": { maskSize: Text; imageSize: Text };
	"request.optionNotSupported": { model: Text; option: Text };
	"request.optionOneOf": { model: Text; value: Text; option: Text; values: Text };
	"request.optionRange": { model: Text; value: Text; option: Text; min: Text; max: Text };
	"request.durationNeeded": { model: Text };
	"request.optionTooLong": { model: Text; charsMax: number; option: Text };
	"request.tooManyPixels": { megapixels: number; megapixelsMax: number };
	"request.promptTooLong": { charsMax: number };
	"request.notWholeNumber": { field: Text; typed: Text };
	"request.confirmCost": { mediaType: "image" | "video" | "music"; model: Text; costCredits: number; money: Text | null; prompt: Text };
	"request.improved": { improved: Text; prompt: Text; model: Text; costCredits: number; money: Text | null };
	"request.improverFailed": { reason: Text; prompt: Text; model: Text; costCredits: number; money: Text | null };
	"service.rejected": { reason: Text };
	"service.resultWithheld": { cause: "unchecked" | "ageRestricted" | "other"; isForModerators: boolean };
	"service.resultWrongMediaType": { mediaType: "image" | "video" | "music" };
	"service.resultTooManyPixels": { megapixels: number };
	"service.resultTooLarge": { sizeMiB: number; limitMiB: number };
	"service.resultTooLargeToFetch": { limitMiB: number };
	"service.outcomePending": { deadlineAtS: Text; costCredits: number };
	"service.canceledByModerator": { userId: Text };
	"error.unexpected": { incidentId: Text };
	"error.dataDamaged": { incidentId: Text };
	"progress.state": { state: Text };
	"progress.queuedAt": { state: Text; queuePosition: number };
	"progress.bar": { state: Text; bar: Text; progress: number };
	"progress.readyAt": { readyAtS: Text };
	"progress.cost": { mediaType: "image" | "video" | "music"; model: Text; costCredits: number; money: Text | null };
	"job.line": { state: Text; mediaType: "image" | "video" | "music"; cost: Text; createdAtS: Text; prompt: Text };
	"job.head": { userId: Text };
	"job.details": { state: Text; mediaType: "image" | "video" | "music"; model: Text; createdAtS: Text };
	"job.cost": { cost: Text };
	"job.provenance": { provenance: "c2pa" | "iptc" | "other" };
	"job.creditsHeld": { credits: number };
	"job.deadline": { deadlineAtS: Text };
	"job.where": { link: Text; taskId: Text };
	"job.choice": { prompt: Text; state: Text; age: Text };
	"gallery.line": { prompt: Text; details: Text; createdAtS: Text };
	"showcase.post": { userId: Text; link: Text; prompt: Text };
	"cancel.whenKnown": { costCredits: number };
	"cancel.requestedFromService": { costCredits: number; deadlineAtS: Text };
	"cancel.notSupported": { deadlineAtS: Text };
	"cancel.tooLate": { costCredits: number };
	"choice.priced": { name: Text; costCredits: number; money: Text | null };
	"button.image": { number: Text };
	"button.upscale": { costCredits: number };
	"button.confirm": { costCredits: number };
	"button.reportAction": { action: "dismiss" | "delete" | "block" | "refund" };
	"credits.monthRunsLow": { leftCredits: number; monthlyCredits: number; refillsAtS: Text };
	"credits.monthUsedUp": { monthlyCredits: number; refillsAtS: Text };
	"credits.monthTooShort": { costCredits: number; leftCredits: number; monthlyCredits: number; refillsAtS: Text };
	"credits.balance": { heldCredits: number; availableCredits: number };
	"credits.mine": { leftCredits: number; limitCredits: number; per: "day" | "week" | "month"; resetsAtS: Text };
	"credits.mineMediaType": { leftCredits: number; limitCredits: number; mediaType: "image" | "video" | "music"; per: "day" | "week" | "month"; resetsAtS: Text };
	"credits.serverLimit": { leftCredits: number; limitCredits: number; per: "day" | "week" | "month"; resetsAtS: Text };
	"credits.expire": { credits: number; expiresAtS: Text };
	"credits.refill": { monthlyCredits: number; refillsAtS: Text };
	"credits.price": { command: Text; model: Text; costCredits: number; money: Text | null };
	"credits.granted": { amountCredits: number; availableCredits: number; reason: Text };
	"credits.revoked": { amountCredits: number; availableCredits: number; reason: Text };
	"credits.revokeTooMany": { heldCredits: number; amountCredits: number; availableCredits: number };
	"credits.topUpOffer": { packs: Text; button: Text };
	"credits.topUpAdded": { addedCredits: number; leftCredits: number };
	"credits.topUpAnnounced": { buyerId: Text | null; addedCredits: number; leftCredits: number };
	"history.member": { userId: Text };
	"history.notFound": { before: Text };
	"history.charged": { atS: Text; amountCredits: number; afterCredits: number; who: Text; model: Text };
	"history.returned": { atS: Text; afterCredits: number; who: Text; amountCredits: number; model: Text };
	"history.granted": { atS: Text; amountCredits: number; afterCredits: number; who: Text; reason: Text };
	"history.revoked": { atS: Text; amountCredits: number; afterCredits: number; who: Text; reason: Text };
	"history.expired": { atS: Text; amountCredits: number; afterCredits: number };
	"history.monthlyCredits": { monthAtMs: number };
	"history.truncated": { before: Text };
	"history.csv": { entries: number };
	"history.byKey": { name: Text };
	"quota.monthly": { unusedCredits: "expire" | "carryOver" | "carryOverLater"; monthlyCredits: number; refillsAtS: Text };
	"quota.serverUsed": { usedCredits: number; limitCredits: number; per: "day" | "week" | "month"; resetsAtS: Text };
	"quota.server": { limitCredits: number; per: "day" | "week" | "month" };
	"quota.everyone": { limitCredits: number | null; per: "day" | "week" | "month" };
	"quota.roles": { roles: Text };
	"quota.role": { limitCredits: number | null; roleId: Text };
	"quota.members": { members: Text };
	"quota.member": { limitCredits: number | null; userId: Text };
	"quota.memberUsed": { userId: Text; usedCredits: number; limitCredits: number };
	"quota.mediaType": { mediaType: "image" | "video" | "music"; limitCredits: number; per: "day" | "week" | "month" };
	"quota.timeZone": { timeZone: Text };
	"quota.warnings": { channelId: Text };
	"quota.timeZoneUnknown": { typed: Text };
	"quota.tooManyExceptions": { exceptionsMax: number };
	"usage.head": { days: number; totalCredits: number; money: Text | null; results: number };
	"usage.headAverage": { days: number; totalCredits: number; money: Text | null; results: number; averageCredits: number };
	"usage.empty": { days: number };
	"usage.emptySince": { fromS: Text };
	"usage.members": { uses: Text };
	"usage.models": { uses: Text };
	"usage.media": { uses: Text };
	"usage.member": { userId: Text; credits: number; results: number };
	"usage.model": { model: Text; credits: number; results: number };
	"usage.mediaType": { mark: Text; mediaType: "image" | "video" | "music"; credits: number; results: number };
	"usage.completeFrom": { fromS: Text };
	"usage.chartDescription": { days: number; totalCredits: number; mostDate: Text; mostCredits: number };
	"help.mediaType": { command: Text; mediaType: "image" | "video" | "music"; models: Text };
	"help.mediaTypeOffHere": { command: Text };
	"help.mediaTypeNone": { command: Text };
	"help.mediaTypeOff": { command: Text };
	"help.model": { model: Text; costCredits: number; money: Text | null };
	"help.notHere": { reason: Text };
	"help.styles": { styles: number };
	"help.managers": { mayManagersGrant: boolean };
	"access.paused": { note: Text | null };
	"access.blocked": { untilS: Text | null; reason: Text };
	"access.roleDenied": { roleId: Text };
	"access.roleNeeded": { roles: Text };
	"access.channelElsewhere": { channels: Text };
	"access.mediaTypeOff": { mediaType: "image" | "video" | "music" };
	"access.mediaTypeOffHere": { mediaType: "image" | "video" | "music" };
	"access.modelOff": { model: Text };
	"access.modelAgeRestricted": { model: Text };
	"access.wordBlocked": { found: Text };
	"access.wordBlockedIn": { found: Text; option: Text };
	"access.promptRejected": { reason: Text | null };
	"settings.pauseMessage": { note: Text };
	"settings.channels": { rule: "all" | "only" | "except" | "other"; allowed: Text; denied: Text };
	"settings.roles": { rule: "all" | "only" | "except" | "other"; allowed: Text; denied: Text };
	"settings.media": { media: Text };
	"settings.modelsOff": { models: Text };
	"settings.safetyRule": { category: Text; rule: Text };
	"settings.results": { private: boolean };
	"settings.line": { field: Text; value: Text };
	"settings.showcase": { channelId: Text | null; stars: number };
	"settings.channelHead": { channelId: Text };
	"settings.channelModel": { mediaTypeName: Text; model: Text };
	"settings.channelStyle": { name: Text };
	"settings.channelPrivate": { private: boolean };
	"settings.channelMediaOff": { media: Text };
	"settings.channelsMore": { count: number };
	"settings.counts": { patterns: number; blocked: number; styles: number };
	"settings.listFull": { listedMax: number };
	"settings.channelNotWritable": { channelId: Text };
	"settings.channelUnknown": { fields: Text };
	"settings.importTooLarge": { sizeMaxKiB: number };
	"settings.importInvalid": { problems: Text };
	"audit.line": { atS: Text; via: "discord" | "dashboard" | "apiKey"; who: Text; revision: Text; fields: Text };
	"audit.changed": { field: Text; oldValue: Text; newValue: Text };
	"audit.listChanged": { kind: "added" | "removed" | "other"; field: Text; added: Text; removed: Text };
	"credits.amount": { credits: number };
	"audit.aboveCredits": { credits: number };
	"audit.creditsPer": { credits: number; per: "day" | "week" | "month" };
	"audit.pausedWith": { note: Text };
	"audit.blockedUntil": { untilS: Text };
	"field.limitOf": { mention: Text };
	"field.mediaTypeLimit": { mediaType: "image" | "video" | "music" };
	"field.channelDefaults": { channelId: Text };
	"field.block": { mention: Text };
	"field.style": { name: Text };
	"block.done": { untilS: Text | null; userId: Text; reason: Text };
	"block.undone": { userId: Text };
	"block.notBlocked": { userId: Text };
	"block.tooMany": { blocksMax: number };
	"block.head": { blocked: number };
	"block.line": { untilS: Text | null; userId: Text; byUserId: Text; reason: Text };
	"filter.patternSimplified": { pattern: Text };
	"filter.patternTooLong": { charsMax: number };
	"filter.tooManyPatterns": { patternsMax: number };
	"filter.head": { patterns: number };
	"filter.blocked": { found: Text; pattern: Text };
	"style.nameInvalid": { charsMax: number };
	"style.tooMany": { stylesMax: number };
	"style.noneHere": { style: Text };
	"style.unknown": { style: Text; known: Text };
	"style.line": { mediaType: "image" | "video" | "music" | null; name: Text; text: Text };
	"style.option": { option: Text; value: Text };
	"style.modelGone": { style: Text; model: Text };
	"style.optionNotSupported": { style: Text; option: Text; value: Text; model: Text };
	"report.head": { link: Text | null; reporterId: Text; atS: Text; userId: Text; channelId: Text };
	"report.reason": { reason: Text };
	"report.about": { prompt: Text; model: Text; costCredits: number; taskId: Text };
	"report.done": { action: "delete" | "block" | "refund" | "dismiss"; byUserId: Text | null; atS: Text; costCredits: number };
	"withheld.head": { userId: Text; channelId: Text; atS: Text; cause: "unchecked" | "ageRestricted" | "other" };
	"withheld.categories": { categories: Text };
	"withheld.about": { prompt: Text; model: Text; taskId: Text };
	"withheld.done": { action: "show" | "other"; byUserId: Text; atS: Text };
	"report.deleteForbidden": { channelId: Text };
	"report.refundReason": { taskId: Text };
	"setup.channels": { step: Text; steps: Text };
	"setup.roles": { step: Text; steps: Text };
	"setup.limits": { step: Text; steps: Text };
	"setup.moderators": { step: Text; steps: Text };
	"settings.notNumber": { field: Text; max: number };
	"privacy.exported": { tasks: number; isComplete: boolean; days: number };
	"privacy.confirmDelete": { button: Text; days: number };
	"privacy.stillRunning": { running: number };
	"web.jobRefunded": { credits: number };
	"web.invalid": { problems: Text };
	"web.apiKeysFull": { keysMax: Text };
}
