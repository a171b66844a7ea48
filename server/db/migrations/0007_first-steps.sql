ALTER TABLE "dojos" ADD COLUMN "invitation_shared_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "dojos" ADD COLUMN "skipped_setup_steps" text[] DEFAULT '{}' NOT NULL;