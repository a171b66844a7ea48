ALTER TABLE "staff_invitations" DROP CONSTRAINT "staff_invitations_token";--> statement-breakpoint
ALTER TABLE "attendance" ADD COLUMN "marked_by" uuid;--> statement-breakpoint
ALTER TABLE "class_dates" ADD COLUMN "substitute_id" uuid;--> statement-breakpoint
ALTER TABLE "staff_invitations" ADD CONSTRAINT "staff_invitations_token" UNIQUE("dojo_id","token_hash");