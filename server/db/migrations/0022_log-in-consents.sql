ALTER TABLE "guardianships" ADD COLUMN "log_in_consent_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "guardianships" ADD COLUMN "log_in_consent_source" text;--> statement-breakpoint
ALTER TABLE "guardianships" ADD COLUMN "log_in_consent_wording" text;