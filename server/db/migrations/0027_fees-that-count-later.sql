ALTER TABLE "students" ADD COLUMN "former_fee" integer;--> statement-breakpoint
ALTER TABLE "students" ADD COLUMN "former_fee_month" date;--> statement-breakpoint
ALTER TABLE "students" ADD COLUMN "pays_since" date;--> statement-breakpoint
ALTER TABLE "students" ADD CONSTRAINT "students_former_fee" CHECK (num_nonnulls("students"."former_fee", "students"."former_fee_month") in (0, 2));