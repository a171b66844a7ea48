ALTER TABLE "holds" ADD COLUMN "returned_on" date;--> statement-breakpoint
ALTER TABLE "holds" ADD COLUMN "planned_end" date;