ALTER TABLE "sign_in_addresses" ADD COLUMN "failures" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_in_addresses" ADD COLUMN "failures_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "system_config" ADD COLUMN "clock_seen_at" timestamp with time zone;